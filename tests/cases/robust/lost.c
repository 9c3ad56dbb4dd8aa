// Who unlocks it without having made it consistent loses it for all.
//@ property: assertion, deadlock
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex;

void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_exit(unused);
}

int main(void) {
    pthread_t a;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(pthread_mutex_trylock(&mutex) == EOWNERDEAD);
    pthread_mutex_unlock(&mutex);
    assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
    assert(pthread_mutex_trylock(&mutex) == ENOTRECOVERABLE);
    pthread_mutex_destroy(&mutex);
}
