// The copy of a mutex that is held is held, too.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, copy = PTHREAD_MUTEX_INITIALIZER;
int before, shared;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    copy = lock;
    pthread_mutex_unlock(&lock);
    shared = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(pthread_mutex_trylock(&copy) != 0);
    assert(pthread_mutex_trylock(&lock) == 0);
}
