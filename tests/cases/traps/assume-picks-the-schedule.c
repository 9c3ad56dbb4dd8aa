// The assumption looks at shared memory: it lets exactly the executions through where the child was first.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
int x, y;

void *work(void *unused) {
    x = 1;
    y = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    __VERIFIER_assume(x == 1);
    assert(y == 1); //~ BUG assertion thread=t0
}
