//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
int x;

void *work(void *unused) {
    if (__VERIFIER_nondet_bool())
        x = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    if (__VERIFIER_nondet_bool())
        assert(x == 0); //~ BUG assertion thread=t0
    pthread_join(a, 0);
}
