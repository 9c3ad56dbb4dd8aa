// The lock excludes, but its relaxed clear orders nothing: what it protects races.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <stdatomic.h>
#include <threads.h>

atomic_flag taken = ATOMIC_FLAG_INIT;
int x;

int work(void *unused) {
    (void)unused;
    if (!atomic_flag_test_and_set_explicit(&taken, memory_order_relaxed)) {
        x++; //~ BUG data-race
        atomic_flag_clear_explicit(&taken, memory_order_relaxed);
    }
    return 0;
}

int main(void) {
    thrd_t a;
    thrd_create(&a, work, 0);
    work(0);
    thrd_join(a, 0);
}
