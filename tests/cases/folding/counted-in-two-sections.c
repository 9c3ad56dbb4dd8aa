// Reads in one critical section and writes in the next: increments get lost, and so a decrement goes below zero.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int top;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *add(void *unused) {
    pthread_mutex_lock(&m);
    int seen = top;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    top = seen + 1;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(top == 2); //~ BUG assertion thread=t0
}
