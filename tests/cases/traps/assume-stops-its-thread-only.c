// The child's assumption fails always; main's assertion fails all the same.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
int x;

void *work(void *unused) {
    x = 1;
    __VERIFIER_assume(0);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    assert(x == 0); //~ BUG assertion thread=t0
}
