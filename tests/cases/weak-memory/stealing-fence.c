// Chase and Lev's deque with its fence.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <assert.h>
#include <pthread.h>

int top, bottom = 2, taken;

/* The thief takes from the top. */
void *thief(void *unused) {
    for (int i = 0; i < 2; i++) {
        int t = __atomic_load_n(&top, __ATOMIC_ACQUIRE);
        int b = __atomic_load_n(&bottom, __ATOMIC_ACQUIRE);
        if (t < b && __sync_bool_compare_and_swap(&top, t, t + 1))
            __sync_fetch_and_add(&taken, 1);
    }
    return unused;
}

/* The owner takes from the bottom, and fights for the last one. */
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, thief, 0);
    int b = bottom - 1;
    __atomic_store_n(&bottom, b, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    int t = __atomic_load_n(&top, __ATOMIC_RELAXED);
    if (t < b || (t == b && __sync_bool_compare_and_swap(&top, t, t + 1)))
        __sync_fetch_and_add(&taken, 1);
    pthread_join(a, 0);
    assert(taken <= 2);
}
