// SB with sequentially consistent atomics.
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
    atomic_store(&x, 1);
    a_sees = atomic_load(&y);
    return unused;
}

void *second(void *unused) {
    atomic_store(&y, 1);
    b_sees = atomic_load(&x);
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
