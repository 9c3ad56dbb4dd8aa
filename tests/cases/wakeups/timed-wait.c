// A wait with a deadline ends, signalled or not.
//@ property: deadlock, assertion
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock); /* and no signal */
    return unused;
}

int main(void) {
    pthread_t a;
    struct timespec deadline = {5, 0};
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&lock);
    if (!ready) {
        int result = pthread_cond_timedwait(&changed, &lock, &deadline);
        assert(result == 0 || result == ETIMEDOUT);
    }
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
}
