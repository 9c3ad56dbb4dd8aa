//@ property: data-race
//@ verdict: safe
//@ explore: random
/* A function gives the handle back. */
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *work(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return 0;
}

static pthread_t start(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    return thread;
}

int main(void) {
    while (__VERIFIER_nondet_bool())
        pthread_join(start(), 0);
    return 0;
}
