// The child never ends, so main never gets past the join.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

void *work(void *unused) {
    __VERIFIER_assume(0);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(0);
}
