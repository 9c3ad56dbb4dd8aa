//@ property: assertion
//@ verdict: safe
//@ bounds: unwind-max=2
//@ explore: random
/* Counts that begin anew at 2^32: sums of them are equal by the arithmetic of the machine. */
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned requests, hits, misses;

static void *serve(void *argument) {
    while (__VERIFIER_nondet_bool()) {
        pthread_mutex_lock(&lock);
        requests++;
        if (__VERIFIER_nondet_bool())
            hits++;
        else
            misses++;
        assert(requests == hits + misses);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, serve, 0);
    pthread_exit(0);
}
