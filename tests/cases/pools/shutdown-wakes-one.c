// The end wakes only one of two sleeping workers.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
int stop;

void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    while (!stop)
        pthread_cond_wait(&wake, &lock); //~ BUG deadlock
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_cond_signal(&wake);
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0); //~ BUG deadlock
    pthread_join(b, 0); //~ BUG deadlock
}
