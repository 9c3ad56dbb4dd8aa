// One lock protects both.
//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

struct { unsigned left : 4; unsigned right : 4; } both;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *argument) {
    pthread_mutex_lock(&lock);
    both.left++;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
    both.right += 2;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    assert(both.left == 1 && both.right == 2);
}
