//@ property: data-race
//@ verdict: safe
//@ explore: random
/* Atomic blocks are ordered one after the other. */
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static int counter;

static void *work(void *argument) {
    (void)argument;
    __VERIFIER_atomic_begin();
    if (counter < 10)
        counter++;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    while (__VERIFIER_nondet_bool()) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
    }
}
