// POSIX lets a condition variable be destroyed as soon as all who wait for it are woken; to leave it is no race with that.
//@ property: data-race
//@ verdict: safe
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t news;
int waits, ready;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    waits = 1;
    while (!ready)
        pthread_cond_wait(&news, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_cond_init(&news, 0);
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&lock);
    ready = 1;
    if (waits)
        pthread_cond_broadcast(&news);
    if (waits)
        pthread_cond_destroy(&news);
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
}
