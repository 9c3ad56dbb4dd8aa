// The block is entered and left within the section: nobody sees its object live.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int *kept;

void *work(void *unused) {
    (void)unused;
    __VERIFIER_atomic_begin();
    {
        int inner = 1;
        kept = &inner;
    }
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    __VERIFIER_atomic_begin();
    if (kept)
        *kept = 2; //~ BUG memory-safety thread=t0
    __VERIFIER_atomic_end();
    pthread_join(a, 0);
}
