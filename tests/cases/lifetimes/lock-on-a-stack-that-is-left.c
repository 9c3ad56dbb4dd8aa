// The worker unlocks a mutex of a function that may have returned.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>

struct job { pthread_mutex_t lock; pthread_cond_t ready; int done; };
pthread_t a;

void *work(void *given) {
    struct job *job = given;
    pthread_mutex_lock(&job->lock);
    job->done = 1;
    pthread_mutex_unlock(&job->lock);
    pthread_cond_signal(&job->ready); //~ BUG memory-safety thread=t1
    return 0;
}

static void run(void) {
    struct job job = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 };
    pthread_create(&a, 0, work, &job);
    pthread_mutex_lock(&job.lock);
    while (!job.done)
        pthread_cond_wait(&job.ready, &job.lock);
    pthread_mutex_unlock(&job.lock);
}

int main(void) {
    run();
    pthread_join(a, 0);
}
