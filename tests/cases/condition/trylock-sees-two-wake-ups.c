// Who tries the lock twice, and takes it between, can find it taken both times: the waiter has woken up for no reason twice.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int waiting, ready;

static int is_taken(void) {
    if (pthread_mutex_trylock(&lock) != 0)
        return 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    int waits = waiting;
    pthread_mutex_unlock(&lock);
    if (waits) {
        int first = is_taken();
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
        assert(!(first && is_taken())); //~ BUG assertion
    }
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&lock);
    waiting = 1;
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
}
