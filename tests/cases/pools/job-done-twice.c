// The job is chosen under the lock, but only counted later.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int next_job, done[2];

void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    int job = next_job;
    pthread_mutex_unlock(&lock);
    if (job < 2) {
        pthread_mutex_lock(&lock);
        done[job]++;
        next_job = job + 1;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    worker(0);
    pthread_join(a, 0);
    assert(done[0] == 1 && done[1] == 1); //~ BUG assertion thread=t0
}
