//@ property: data-race
//@ verdict: bug
/* The end of a variable's life is a write. */
#include <pthread.h>

static void *work(void *argument) {
    *(int *)argument = 1; //~ BUG data-race //~ UNDEFINED memory-safety
    return 0;
}

static void start(void) { //~ BUG data-race
    pthread_t thread;
    int sum = 0;
    pthread_create(&thread, 0, work, &sum);
}

int main(void) { start(); }
