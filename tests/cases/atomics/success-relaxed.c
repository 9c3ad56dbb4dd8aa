// Success is relaxed here, and a success that sees the flag is no order.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *writer(void *unused) {
    data = 1; //~ BUG data-race
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t a;
    int expected = 1;
    pthread_create(&a, 0, writer, 0);
    if (atomic_compare_exchange_strong_explicit(&flag, &expected, 5, memory_order_relaxed, memory_order_acquire))
        data = 2; //~ BUG data-race
    pthread_join(a, 0);
}
