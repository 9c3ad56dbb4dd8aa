//@ property: memory-safety
//@ verdict: bug
/* To detach a thread is not to wait for it. */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *argument) {
    int *number = argument;
    return *number == 0 ? argument : 0; //~ BUG memory-safety
}

int main(void) {
    pthread_t thread;
    int *number = calloc(1, sizeof *number);
    pthread_create(&thread, 0, work, number);
    pthread_detach(thread);
    free(number);
    pthread_exit(0);
}
