// The flag is looked at and the request counted under one lock.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int pending = 1, stopping, stopped;

int enter(void) {
    pthread_mutex_lock(&lock);
    int ok = !stopping;
    if (ok)
        pending++;
    pthread_mutex_unlock(&lock);
    return ok;
}

void leave(void) {
    pthread_mutex_lock(&lock);
    if (--pending == 0)
        stopped = 1;
    pthread_mutex_unlock(&lock);
}

void *request(void *unused) {
    if (enter()) {
        assert(!stopped);
        leave();
    }
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, request, 0);
    pthread_mutex_lock(&lock);
    stopping = 1;
    pthread_mutex_unlock(&lock);
    leave();
    pthread_join(a, 0);
    assert(stopped);
}
