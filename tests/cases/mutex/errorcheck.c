// This kind answers instead of misbehaving.
//@ property: lock-misuse, deadlock, assertion
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock;

void *work(void *unused) {
    assert(pthread_mutex_unlock(&lock) == EPERM);
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    return unused;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &kind);
    pthread_t a;
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    pthread_mutex_destroy(&lock);
}
