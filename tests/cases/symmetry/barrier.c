//@ property: assertion, deadlock, lock-misuse, data-race, memory-safety
//@ verdict: safe
// All write before the barrier what all read behind it.
#include <assert.h>
#include <pthread.h>

int count, seen;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_barrier_t barrier;

void *work(void *unused) {
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
    pthread_barrier_wait(&barrier);
    assert(count == 2);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_barrier_init(&barrier, 0, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
