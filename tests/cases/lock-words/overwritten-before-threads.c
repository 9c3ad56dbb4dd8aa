// The same before there are other threads.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, fresh = PTHREAD_MUTEX_INITIALIZER;
int shared;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    assert(shared != 2); //~ BUG assertion thread=t1
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&lock);
    lock = fresh;
    pthread_create(&a, 0, work, 0);
    shared = 2;
    shared = 0;
    pthread_join(a, 0);
}
