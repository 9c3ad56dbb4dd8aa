// Relaxed as a flag is when its function is called instead of the macro: that it is set orders nothing.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>
#include <stdatomic.h>
#undef atomic_flag_test_and_set_explicit

_Bool atomic_flag_test_and_set_explicit(volatile atomic_flag *flag, memory_order order);
int x;
atomic_flag flag = ATOMIC_FLAG_INIT;

void *sets(void *unused) {
    x = 1; //~ BUG data-race thread=t1
    atomic_flag_test_and_set_explicit(&flag, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, sets, 0);
    if (atomic_flag_test_and_set_explicit(&flag, memory_order_relaxed))
        x = 2; //~ BUG data-race thread=t0
    return 0;
}
