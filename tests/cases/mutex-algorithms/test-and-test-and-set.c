//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int x;

void *work(void *unused) {
    do
        while (atomic_load_explicit(&lock, memory_order_relaxed))
            ;
    while (atomic_exchange_explicit(&lock, 1, memory_order_acquire));
    x++;
    atomic_store_explicit(&lock, 0, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    assert(x == 2);
}
