// Workers sleep until there is work or the end; the end wakes all.
//@ property: assertion, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
int jobs, stop, finished;

void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    for (;;) {
        while (jobs == 0 && !stop)
            pthread_cond_wait(&wake, &lock);
        if (jobs == 0)
            break;
        jobs--;
        finished++;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_mutex_lock(&lock);
    jobs = 1;
    stop = 1;
    pthread_cond_broadcast(&wake);
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(finished == 1);
}
