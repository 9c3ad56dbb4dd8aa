//@ property: deadlock
//@ verdict: safe
// Two wait, and both are woken.
#include <pthread.h>

int ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&cond, &m);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
