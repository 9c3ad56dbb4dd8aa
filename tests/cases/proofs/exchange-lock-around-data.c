//@ property: data-race
//@ verdict: safe
//@ bounds: unwind-max=2
//@ explore: random
/* A lock that is a flag. What is done with the data inside decides nothing about who may be there. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
static atomic_int lock;
static unsigned all, some, others;

static void *work(void *argument) {
    while (__VERIFIER_nondet_bool()) {
        while (atomic_exchange(&lock, 1))
            ;
        all++;
        if (__VERIFIER_nondet_bool())
            some++;
        else
            others++;
        if (all != some + others)
            abort();
        atomic_store(&lock, 0);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
