//@ property: deadlock
//@ verdict: bug
/* A thread that gives up keeps the lock. */
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *work(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock); //~ BUG deadlock
    if (__VERIFIER_nondet_bool())
        return 0;
    counter++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0); //~ BUG deadlock
    pthread_join(other, 0); //~ BUG deadlock
}
