// What fails inside the section counts, though the section would not have come to its end.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x;

void *work(void *unused) {
    __VERIFIER_atomic_begin();
    x = 1;
    assert(x == 0); //~ BUG assertion thread=t1
    __VERIFIER_assume(0);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
}
