//@ property: data-race
//@ verdict: safe
//@ explore: random
/* A writer owns the data until it sets the flag, any number of readers afterwards. */
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
static int data;
static _Atomic int ready;

static void *read_it(void *argument) {
    (void)argument;
    if (ready == 1) {
        int seen = data;
        (void)seen;
    }
    return 0;
}

static void *write_it(void *argument) {
    (void)argument;
    data = 1;
    data = 2;
    ready = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, write_it, 0);
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, read_it, 0);
}
