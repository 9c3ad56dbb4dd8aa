// With one mutex, and later with another, when nobody waits any more.
//@ property: lock-misuse
//@ verdict: safe
#include <pthread.h>

pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *work(void *given) {
    pthread_mutex_lock(given);
    pthread_cond_wait(&changed, given);
    pthread_mutex_unlock(given);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, &one);
    pthread_cond_broadcast(&changed);
    pthread_join(a, 0);
    pthread_create(&a, 0, work, &two);
    pthread_cond_broadcast(&changed);
    pthread_join(a, 0);
}
