//@ property: assertion, data-race, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int calls;

void initialise(void) {
    calls++;
}

void *work(void *unused) {
    pthread_once(&once, initialise);
    assert(calls == 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(calls == 1);
}
