// A recursive mutex says so instead.
//@ property: lock-misuse, assertion
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock;

void *work(void *unused) {
    assert(pthread_mutex_unlock(&lock) == EPERM);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_destroy(&lock);
}
