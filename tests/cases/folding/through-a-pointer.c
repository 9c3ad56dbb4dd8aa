// The other thread writes through a pointer that may lead here.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int x = 1, y = 1, which;
int *target = &y;

void *write(void *unused) {
    *target = 2;
    return unused;
}

int main(void) {
    pthread_t a;
    extern int __VERIFIER_nondet_int(void);
    if (__VERIFIER_nondet_int())
        target = &x;
    pthread_create(&a, 0, write, 0);
    assert(x == 1); //~ BUG assertion thread=t0
    pthread_join(a, 0);
}
