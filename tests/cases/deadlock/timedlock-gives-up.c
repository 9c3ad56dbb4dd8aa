// A lock with a deadline is never waited for without end.
//@ property: deadlock, lock-misuse, assertion
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
struct timespec deadline = {1, 0};

void *work(void *unused) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&second);
    int result = pthread_mutex_timedlock(&first, &deadline);
    assert(result == 0 || result == ETIMEDOUT);
    if (result == 0)
        pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    pthread_join(a, 0);
}
