// While it waits, the waiter does not hold the mutex: what it checked before may no longer hold.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready, x;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    x = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&lock);
    int before = x;
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    assert(x == before); //~ BUG assertion thread=t0
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
}
