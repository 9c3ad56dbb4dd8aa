// The value that is written was compared before it was changed.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int x, y;
extern int __VERIFIER_nondet_int(void);

void *write(void *unused) {
    int value = __VERIFIER_nondet_int();
    if (value >= 0 && value < 10) {
        x = value;
        y = value + 5;
    }
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, write, 0);
    int seen = y;
    assert(x >= 0 && x < 10);
    assert(seen < 5); //~ BUG assertion thread=t0
    pthread_join(a, 0);
}
