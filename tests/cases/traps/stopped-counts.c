// The child reads x and stops unless it saw 1; main writes x twice. The child's one step goes before, between or behind
// main's two: 3 executions. Main's join is granted only where the child saw 1.
//@ property: assertion
//@ verdict: safe
//@ executions: 3
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
int x;

void *work(void *unused) {
    __VERIFIER_assume(x == 1);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    x = 1;
    x = 2;
    pthread_join(a, 0);
    assert(x == 2);
}
