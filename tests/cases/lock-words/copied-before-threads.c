// A lock that main holds is copied before there are other threads.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct { pthread_mutex_t lock; int value; } box;

void *work(void *unused) {
    assert(pthread_mutex_trylock(&box.lock) != 0);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&lock);
    box.lock = lock;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_mutex_unlock(&lock);
    assert(pthread_mutex_trylock(&lock) == 0);
}
