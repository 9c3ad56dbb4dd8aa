// <stdatomic.h>
#include <stdatomic.h>
atomic_int counter = ATOMIC_VAR_INIT(3);
atomic_flag flag = ATOMIC_FLAG_INIT;
_Atomic(long) wide;
atomic_uintptr_t pointer;
int operations(void)
{
    int expected = 3;
    atomic_init(&counter, 1);
    atomic_store(&counter, 2);
    atomic_store_explicit(&wide, 5, memory_order_release);
    atomic_fetch_add(&counter, 1);
    atomic_fetch_sub_explicit(&counter, 1, memory_order_relaxed);
    if (atomic_compare_exchange_strong(&counter, &expected, 9) || atomic_compare_exchange_weak_explicit(&counter, &expected, 9, memory_order_seq_cst, memory_order_relaxed))
        atomic_thread_fence(memory_order_acq_rel);
    while (atomic_flag_test_and_set(&flag)) ;
    atomic_flag_clear(&flag);
    return atomic_load(&counter) + atomic_exchange(&counter, 4) + (int)atomic_load_explicit(&wide, memory_order_acquire) + atomic_is_lock_free(&counter);
}
