//@ property: assertion
//@ verdict: safe
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
    __VERIFIER_assume(y == 1);
    assert(x == 1);
}
