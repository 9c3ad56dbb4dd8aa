//@ property: data-race
//@ verdict: bug
/* The end of a variable's life is a write. */
#include <pthread.h>

static void *work(void *argument) {
    *(int *)argument = 1; //~ BUG data-race
    return 0;
}

static void start(void) {
    pthread_t thread;
    int sum = 0;
    pthread_create(&thread, 0, work, &sum);
} //~ BUG data-race

int main(void) { start(); }
