//@ property: assertion, deadlock, data-race
//@ verdict: safe
// Who holds a lock is told apart from who does not, but not from who might have.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int held;
pthread_mutex_t m;

void *work(void *unused) {
    if (pthread_mutex_unlock(&m) == 0)
        assert(0);
    pthread_mutex_lock(&m);
    assert(pthread_mutex_lock(&m) == EDEADLK);
    held++;
    pthread_mutex_unlock(&m);
    assert(pthread_mutex_unlock(&m) == EPERM);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &kind);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(held == 2);
}
