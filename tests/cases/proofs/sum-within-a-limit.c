//@ property: assertion
//@ verdict: safe
//@ bounds: unwind-max=2
//@ explore: random
/* A token bucket that any number of threads fill and empty: the limit is a bound of the sum of what is there and what is added. */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
static unsigned tokens;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *argument) {
    while (__VERIFIER_nondet_bool()) {
        unsigned more = __VERIFIER_nondet_uint();
        pthread_mutex_lock(&lock);
        if (more <= 1000 - tokens)
            tokens += more;
        assert(tokens <= 1000);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

static void *take(void *argument) {
    pthread_mutex_lock(&lock);
    if (tokens > 0)
        tokens--;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_bool()) {
        pthread_create(&thread, 0, fill, 0);
        pthread_create(&thread, 0, take, 0);
    }
    pthread_exit(0);
}
