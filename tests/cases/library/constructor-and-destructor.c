// A constructor runs before `main`, and a destructor behind it, when the handlers have run.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int value, handled;

__attribute__((constructor)) static void first(void) {
    value = 1;
}

__attribute__((destructor)) static void last(void) {
    assert(handled == 1);
    assert(value == 1); //~ BUG assertion
}

void handler(void) {
    handled = 1;
}

void *work(void *argument) {
    assert(value == 1);
    value = 2;
    return argument;
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, 0, work, 0);
    return 0;
}
