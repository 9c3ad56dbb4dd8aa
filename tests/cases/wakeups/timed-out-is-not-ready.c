//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    struct timespec deadline = {5, 0};
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&lock);
    int result = 0;
    while (!ready && result == 0)
        result = pthread_cond_timedwait(&changed, &lock, &deadline);
    assert(ready); //~ BUG assertion thread=t0
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
}
