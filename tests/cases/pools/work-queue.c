// Two workers take numbered jobs until there are none.
//@ property: assertion, data-race, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int next_job, done[2];

void *worker(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int job = next_job < 2 ? next_job++ : -1;
        pthread_mutex_unlock(&lock);
        if (job < 0)
            return unused;
        done[job]++;
    }
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    worker(0);
    pthread_join(a, 0);
    assert(done[0] == 1 && done[1] == 1);
}
