// In a loop that does not matter.
//@ property: assertion, data-race, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int count;

void *work(void *unused) {
    int seen = atomic_load(&count);
    while (!atomic_compare_exchange_weak(&count, &seen, seen + 1))
        ;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    assert(count == 2);
}
