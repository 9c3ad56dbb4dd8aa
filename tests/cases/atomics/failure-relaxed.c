// An exchange that fails has the order for failure: this one orders nothing.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *writer(void *unused) {
    data = 1; //~ BUG data-race
    atomic_store(&flag, 1);
    return unused;
}

int main(void) {
    pthread_t a;
    int expected = 0;
    pthread_create(&a, 0, writer, 0);
    if (!atomic_compare_exchange_strong_explicit(&flag, &expected, 5, memory_order_acq_rel, memory_order_relaxed))
        data = 2; //~ BUG data-race
    pthread_join(a, 0);
}
