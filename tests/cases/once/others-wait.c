// Whoever comes while the function runs waits for its end.
//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int table[2];

void initialise(void) {
    table[0] = 1;
    table[1] = 2;
}

void *work(void *unused) {
    pthread_once(&once, initialise);
    assert(table[0] + table[1] == 3);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
}
