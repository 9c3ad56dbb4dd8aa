//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
int limit, x;

void *work(void *unused) {
    if (x < limit)
        x++;
    return unused;
}

int main(void) {
    pthread_t a;
    limit = __VERIFIER_nondet_bool() + __VERIFIER_nondet_bool();
    __VERIFIER_assume(limit >= 1);
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(x == 1);
}
