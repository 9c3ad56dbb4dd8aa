// A mutex that is made new is free, whoever held it.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_init(&lock, 0);
    shared = 2;
    shared = 0;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&lock);
    assert(shared != 2); //~ BUG assertion thread=t0
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
}
