//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

atomic_flag taken = ATOMIC_FLAG_INIT;
int x;

int work(void *unused) {
    (void)unused;
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
        thrd_yield();
    x++;
    atomic_flag_clear_explicit(&taken, memory_order_release);
    return 0;
}

int main(void) {
    thrd_t a;
    thrd_create(&a, work, 0);
    work(0);
    thrd_join(a, 0);
    assert(x == 2);
}
