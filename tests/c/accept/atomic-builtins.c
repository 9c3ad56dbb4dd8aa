// __atomic_* and __sync_* built-ins on several types.
int counter;
long long big;
char small;
void *pointer;
_Bool flag;
struct pair { int a, b; } left, right;
int atomics(int x)
{
    int old = __atomic_load_n(&counter, __ATOMIC_SEQ_CST);
    __atomic_store_n(&counter, x, __ATOMIC_RELEASE);
    old += __atomic_exchange_n(&counter, 3, __ATOMIC_ACQ_REL);
    old += __atomic_fetch_add(&counter, 1, 5) + __atomic_add_fetch(&counter, 2, 0);
    old += __atomic_fetch_nand(&counter, 1, 5) + __atomic_or_fetch(&small, 1, 5);
    __atomic_compare_exchange_n(&counter, &old, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    __atomic_load(&left, &right, 5);
    __atomic_store(&left, &right, 5);
    __atomic_exchange(&left, &right, &left, 5);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_ACQUIRE);
    __atomic_clear(&flag, 0);
    return old + __atomic_test_and_set(&flag, 5) + __atomic_always_lock_free(4, 0) + __atomic_is_lock_free(sizeof(int), &counter);
}
long long syncs(long long x)
{
    x += __sync_fetch_and_add(&big, 1) + __sync_sub_and_fetch(&big, x);
    __sync_synchronize();
    if (__sync_bool_compare_and_swap(&pointer, 0, &x))
        x = __sync_val_compare_and_swap(&counter, 1, 2);
    __sync_lock_test_and_set(&counter, 1);
    __sync_lock_release(&counter);
    return x + __sync_fetch_and_xor(&small, 1) + __sync_fetch_and_nand(&counter, 3);
}
