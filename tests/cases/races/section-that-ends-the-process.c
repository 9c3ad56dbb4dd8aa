// Where the section reads the old value, it ends the process: that it reads it counts all the same.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x;

void *look(void *unused) {
    __VERIFIER_atomic_begin();
    if (x == 0) //~ BUG data-race thread=t1
        abort();
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, look, 0);
    x = 1; //~ BUG data-race thread=t0
}
