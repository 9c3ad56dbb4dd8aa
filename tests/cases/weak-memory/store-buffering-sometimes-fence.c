// SB with a fence that one side comes by in some executions only: the others are as without it.
//@ property: assertion
//@ verdict: safe
//@ verdict-tso: bug
//@ verdict-pso: bug
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

int x, y, a, b;

void *first(void *unused) {
    x = 1;
    if (__VERIFIER_nondet_bool())
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    a = y;
    return unused;
}

void *second(void *unused) {
    y = 1;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    b = x;
    return unused;
}

int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, first, 0);
    pthread_create(&q, 0, second, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(a || b); //~ BUG assertion
}
