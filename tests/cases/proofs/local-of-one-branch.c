//@ property: assertion
//@ verdict: safe
//@ explore: random
/* What is stored comes from a local variable that only one of two branches has. */
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static int ready;

static void *work(void *argument) {
    if (!ready) {
        int value = 1;
        int *place = &value;
        ready = *place;
    }
    assert(ready == 1);
    return argument;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
