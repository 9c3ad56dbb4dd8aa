// Locked twice, unlocked once: still held.
//@ property: deadlock
//@ verdict: bug
#define _GNU_SOURCE
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_mutex_lock(&lock); //~ BUG deadlock thread=t0
    pthread_mutex_unlock(&lock);
}
