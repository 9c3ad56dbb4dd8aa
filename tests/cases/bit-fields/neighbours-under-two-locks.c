// A lock for each of two neighbours protects neither.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

struct { unsigned left : 4; unsigned right : 4; } both;
pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

void *work(void *argument) {
    pthread_mutex_lock(&left);
    both.left++;
    pthread_mutex_unlock(&left);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&right);
    both.right += 2;
    pthread_mutex_unlock(&right);
    pthread_join(thread, 0);
    assert(both.left == 1 && both.right == 2); //~ BUG assertion
}
