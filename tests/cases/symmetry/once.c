//@ property: assertion, deadlock, lock-misuse, data-race, memory-safety
//@ verdict: safe
// Whoever comes first initialises.
#include <assert.h>
#include <pthread.h>

int value;
pthread_once_t once = PTHREAD_ONCE_INIT;

void init(void) { value++; }

void *work(void *unused) {
    pthread_once(&once, init);
    assert(value == 1);
    return unused;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
