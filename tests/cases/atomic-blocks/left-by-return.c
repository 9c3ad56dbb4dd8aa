//@ property: assertion
//@ verdict: unknown
//@ reason: atomic blocks that begin and end on different paths
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);
int shared;

void *work(void *unused) {
    __VERIFIER_atomic_begin();
    shared = 1;
    if (__VERIFIER_nondet_bool())
        return unused;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(shared == 1);
}
