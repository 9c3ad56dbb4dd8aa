// One that is held may not; C11 calls that an error.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
mtx_t other;
sem_t none;

int main(void) {
    struct timespec never = {0, 1000000000};
    pthread_mutex_lock(&mutex);
    assert(pthread_mutex_timedlock(&mutex, &never) == EINVAL);
    mtx_init(&other, mtx_timed);
    mtx_lock(&other);
    assert(mtx_timedlock(&other, &never) == thrd_error);
    sem_init(&none, 0, 0);
    assert(sem_timedwait(&none, &never) == -1 && errno == EINVAL);
}
