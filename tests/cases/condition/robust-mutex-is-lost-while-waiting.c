// The waiter wakes up for no reason, takes the mutex of a thread that ended with it, and waits again without making it
// consistent: then it is lost to everybody, although the flag was never set.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;

void *leaves(void *unused) {
    pthread_mutex_lock(&lock);
    return unused;
}

void *waits(void *unused) {
    if (pthread_mutex_lock(&lock) == EOWNERDEAD)
        pthread_mutex_consistent(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &robust);
    pthread_t a, b;
    pthread_create(&a, 0, waits, 0);
    pthread_create(&b, 0, leaves, 0);
    pthread_join(b, 0);
    assert(pthread_mutex_lock(&lock) != ENOTRECOVERABLE); //~ BUG assertion
}
