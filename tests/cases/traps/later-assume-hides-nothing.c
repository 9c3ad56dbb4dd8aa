// The assertion fails before the assumption of the same thread is looked at.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
int x;

void *work(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    int seen = x;
    assert(seen == 0); //~ BUG assertion thread=t0
    __VERIFIER_assume(seen == 0);
    pthread_join(a, 0);
}
