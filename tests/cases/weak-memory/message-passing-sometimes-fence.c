// MP with a release fence that the writer comes by in some executions only.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: bug
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

int data, ready, seen = 1;

void *first(void *unused) {
    data = 1;
    if (__VERIFIER_nondet_bool())
        __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
    return unused;
}

void *second(void *unused) {
    if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
        seen = data;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(seen == 1); //~ BUG assertion
}
