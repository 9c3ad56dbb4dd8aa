// A process that ends in a block: nobody comes behind it, and nobody is stuck.
//@ property: assertion, deadlock, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);
int shared;

void *work(void *unused) {
    __VERIFIER_atomic_begin();
    shared = 1;
    if (__VERIFIER_nondet_bool())
        exit(0);
    if (__VERIFIER_nondet_bool())
        abort();
    shared = 0;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    __VERIFIER_atomic_begin();
    assert(shared == 0);
    __VERIFIER_atomic_end();
    pthread_join(a, 0);
}
