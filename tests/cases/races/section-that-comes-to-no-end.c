// A section that stops half-way has not happened, and so has no access in it.
//@ property: data-race
//@ verdict: safe
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

int x, seen;

void *stop(void *unused) {
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_assume(0);
    __VERIFIER_atomic_end();
    return unused;
}

void *look(void *unused) {
    seen = x;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, stop, 0);
    pthread_create(&b, 0, look, 0);
}
