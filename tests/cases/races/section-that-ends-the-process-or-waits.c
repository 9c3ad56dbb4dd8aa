// Before the write the section ends the process, so that no write follows; behind it, it waits for ever. There is no execution
// with both accesses.
//@ property: data-race
//@ verdict: safe
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
int x;

void *look(void *unused) {
    __VERIFIER_atomic_begin();
    if (x == 0)
        abort();
    __VERIFIER_assume(x == 0);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, look, 0);
    x = 1;
}
