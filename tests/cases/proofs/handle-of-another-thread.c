//@ property: data-race
//@ verdict: bug
/* Handles are compared, and the wrong thread is joined. */
#include <pthread.h>

static int result;

static void *work(void *argument) {
    if (argument)
        result = 1; //~ BUG data-race
    return 0;
}

int main(void) {
    pthread_t idle, busy;
    pthread_create(&idle, 0, work, 0);
    pthread_create(&busy, 0, work, &result);
    pthread_join(pthread_equal(idle, busy) ? busy : idle, 0);
    int early = result; //~ BUG data-race
    return early;
}
