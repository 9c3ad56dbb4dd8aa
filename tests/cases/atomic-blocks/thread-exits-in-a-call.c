// The same in a function that the block calls, on one of two paths.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int shared;

_Bool __VERIFIER_nondet_bool(void);

static void leave(void) {
    shared++;
    if (__VERIFIER_nondet_bool())
        pthread_exit(0);
    shared++;
}

void *work(void *unused) {
    __VERIFIER_atomic_begin();
    leave();
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    int seen = shared;
    assert(seen <= 2);
    assert(seen != 1); //~ BUG assertion thread=t0
    pthread_join(a, 0);
    assert(shared >= 1);
}
