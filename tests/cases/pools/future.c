// A promise is filled once; everybody who asks waits for it.
//@ property: assertion, data-race, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

struct { pthread_mutex_t lock; pthread_cond_t filled; int full, value; } promise = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0,
};

int get(void) {
    pthread_mutex_lock(&promise.lock);
    while (!promise.full)
        pthread_cond_wait(&promise.filled, &promise.lock);
    int value = promise.value;
    pthread_mutex_unlock(&promise.lock);
    return value;
}

void *asker(void *unused) {
    assert(get() == 3);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, asker, 0);
    pthread_mutex_lock(&promise.lock);
    promise.value = 3;
    promise.full = 1;
    pthread_cond_broadcast(&promise.filled);
    pthread_mutex_unlock(&promise.lock);
    assert(get() == 3);
    pthread_join(a, 0);
}
