// SB: a read-modify-write is visible at once, however weak its order.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int a_sees, b_sees;

void *first(void *unused) {
    atomic_exchange_explicit(&x, 1, memory_order_relaxed);
    a_sees = atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}

void *second(void *unused) {
    atomic_exchange_explicit(&y, 1, memory_order_relaxed);
    b_sees = atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(a_sees == 1 || b_sees == 1);
}
