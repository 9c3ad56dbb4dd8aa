//@ property: assertion, lock-misuse, deadlock, data-race
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex;
int value;

void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    value = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    assert(pthread_mutex_consistent(&mutex) == EINVAL);
    pthread_create(&a, 0, work, 0);
    if (pthread_mutex_lock(&mutex) == EOWNERDEAD) {
        assert(value == 1);
        assert(pthread_mutex_consistent(&mutex) == 0);
    }
    pthread_mutex_unlock(&mutex);
    pthread_join(a, 0);
}
