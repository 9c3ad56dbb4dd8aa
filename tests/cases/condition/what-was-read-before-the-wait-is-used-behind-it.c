// Two wake-ups for no reason: the first finds a = 1 and waits again, the second finds a = 2. Nobody signals before.
//@ property: assertion
//@ verdict: bug
//@ finds: exhaustive
#include <assert.h>
#include <pthread.h>

int ready, a, waits;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *waiter(void *arg) {
    pthread_mutex_lock(&m);
    waits = 1;
    while (!ready) {
        int before = a;
        pthread_cond_wait(&changed, &m);
        assert(!(before == 1 && a == 2)); //~ BUG assertion thread=t1
    }
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&m);
    if (!waits) return 0;
    a = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    a = 2;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    a = 3;
    ready = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
    return 0;
}
