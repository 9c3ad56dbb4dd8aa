// The section writes, and ends the process: its write is made all the same, behind the read.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x;

void *give_up(void *unused) {
    __VERIFIER_atomic_begin();
    x = 2; //~ BUG data-race thread=t1
    abort();
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, give_up, 0);
    if (x) //~ BUG data-race thread=t0
        return 1;
}
