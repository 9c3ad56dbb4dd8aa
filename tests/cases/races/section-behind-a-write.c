// Without the write the section waits for ever: it is made only behind it, and nothing orders the two.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
int x, y;

void *look(void *unused) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(x == 1); //~ BUG data-race thread=t1
    y = 2;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, look, 0);
    x = 1; //~ BUG data-race thread=t0
}
