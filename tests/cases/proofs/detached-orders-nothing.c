//@ property: data-race
//@ verdict: bug
/* A thread that is detached has not ended. */
#include <pthread.h>

static int result;

static void *work(void *argument) {
    (void)argument;
    result = 1; //~ BUG data-race
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
    return result; //~ BUG data-race
}
