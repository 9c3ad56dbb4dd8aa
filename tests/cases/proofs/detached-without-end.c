//@ property: assertion
//@ verdict: safe
//@ explore: random
/* Threads are detached, any number of them. */
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *work(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    inside++;
    assert(inside == 1);
    inside--;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    while (__VERIFIER_nondet_bool()) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
        pthread_detach(thread);
    }
    pthread_exit(0);
}
