//@ property: data-race
//@ verdict: safe
//@ explore: random
/* Any number of threads, each for as long as it likes. */
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *work(void *argument) {
    (void)argument;
    while (__VERIFIER_nondet_bool()) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    counter = 1;
    while (__VERIFIER_nondet_bool()) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
    }
}
