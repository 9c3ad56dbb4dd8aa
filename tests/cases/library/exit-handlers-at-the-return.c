// `return` from `main` runs handlers for the exit, while other threads go on.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int value;

void handler(void) {
    assert(value == 0); //~ BUG assertion
}

void *work(void *argument) {
    value = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, 0, work, 0);
    return 0;
}
