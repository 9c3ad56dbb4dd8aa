//@ property: assertion
//@ verdict: safe
//@ explore: random
/* What a thread runs is chosen where it is started. */
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *writer(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    value = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *reader(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    assert(value == 0 || value == 1);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    while (__VERIFIER_nondet_bool()) {
        pthread_t thread;
        pthread_create(&thread, 0, __VERIFIER_nondet_bool() ? writer : reader, 0);
        pthread_detach(thread);
    }
    pthread_exit(0);
}
