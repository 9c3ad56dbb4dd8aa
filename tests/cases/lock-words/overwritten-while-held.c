// A lock is memory: zeros written over it let the next one in.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <string.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    memset(&lock, 0, sizeof lock);
    shared = 2;
    shared = 0;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&lock);
    assert(shared != 2); //~ BUG assertion thread=t0
    return 0;
}
