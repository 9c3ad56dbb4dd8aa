// What cannot be done ends its thread, here in the midst of an atomic section, of which nobody sees anything then.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, *nowhere;

void *work(void *unused) {
    __VERIFIER_atomic_begin();
    x = 1;
    *nowhere = 2; //~ UNDEFINED memory-safety
    x = 0;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    assert(x == 0);
}
