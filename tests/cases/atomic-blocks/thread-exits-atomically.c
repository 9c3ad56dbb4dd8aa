// Nobody sees a part of a block in which its thread ends.
//@ property: assertion, data-race, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int left, right;

void *work(void *unused) {
    __VERIFIER_atomic_begin();
    left = 1;
    right = 1;
    pthread_exit(unused);
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    __VERIFIER_atomic_begin();
    assert(left == right);
    __VERIFIER_atomic_end();
    pthread_join(a, 0);
    assert(left == 1 && right == 1);
}
