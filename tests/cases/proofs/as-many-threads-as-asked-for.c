//@ property: assertion
//@ verdict: safe
//@ models: lp64
//@ explore: random
/* As many threads as an input says, any number, and each comes once. */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned wanted, arrived;

static void *arrive(void *argument) {
    pthread_mutex_lock(&lock);
    arrived++;
    assert(arrived <= wanted);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    wanted = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < wanted; i++)
        pthread_create(&thread, 0, arrive, 0);
    pthread_exit(0);
}
