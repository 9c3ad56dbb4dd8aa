//@ property: assertion
//@ verdict: safe
//@ bounds: unwind-max=2
//@ explore: random
/* Any number of threads wait for a condition; whoever wakes up looks again. */
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void *put(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    while (full)
        pthread_cond_wait(&changed, &lock);
    full = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *get(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    while (!full)
        pthread_cond_wait(&changed, &lock);
    assert(full == 1);
    full = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    while (__VERIFIER_nondet_bool()) {
        pthread_t producer, consumer;
        pthread_create(&producer, 0, put, 0);
        pthread_create(&consumer, 0, get, 0);
        pthread_detach(producer);
        pthread_detach(consumer);
    }
    pthread_exit(0);
}
