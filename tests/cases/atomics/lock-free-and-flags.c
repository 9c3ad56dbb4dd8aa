//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <stdatomic.h>

atomic_flag flag = ATOMIC_FLAG_INIT;
atomic_int number;

int main(void) {
    assert(atomic_is_lock_free(&number));
    atomic_init(&number, 3);
    assert(!atomic_flag_test_and_set(&flag));
    assert(atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
    atomic_flag_clear_explicit(&flag, memory_order_release);
    assert(!atomic_flag_test_and_set(&flag));
    atomic_thread_fence(memory_order_consume);
    atomic_signal_fence(memory_order_acq_rel);
    assert(kill_dependency(atomic_load_explicit(&number, memory_order_consume)) == 3);
}
