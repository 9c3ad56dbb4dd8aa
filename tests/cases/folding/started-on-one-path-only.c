// On one path nobody else writes; where the paths meet, somebody may.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int x;
extern int __VERIFIER_nondet_int(void);

void *write(void *unused) {
    x = 2;
    return unused;
}
void *idle(void *unused) { return unused; }

int main(void) {
    pthread_t a, b;
    pthread_create(&b, 0, idle, 0);
    x = 1;
    if (__VERIFIER_nondet_int())
        pthread_create(&a, 0, write, 0);
    assert(x == 1); //~ BUG assertion thread=t0
}
