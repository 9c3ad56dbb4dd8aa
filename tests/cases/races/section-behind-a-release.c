// The section waits for what another section writes: they are ordered, and so is what came before.
//@ property: data-race
//@ verdict: safe
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
int x, ready;

void *look(void *unused) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(ready);
    int seen = x;
    (void)seen;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, look, 0);
    x = 1;
    __VERIFIER_atomic_begin();
    ready = 1;
    __VERIFIER_atomic_end();
}
