// A block that is left by a jump to where it ends is balanced.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);
int left, right;

void *work(void *unused) {
    __VERIFIER_atomic_begin();
    left = 1;
    if (__VERIFIER_nondet_bool()) {
        right = 1;
        goto out;
    }
    left = 0;
out:
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    __VERIFIER_atomic_begin();
    assert(left == right);
    __VERIFIER_atomic_end();
    pthread_join(a, 0);
}
