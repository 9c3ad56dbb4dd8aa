//@ property: data-race
//@ verdict: bug
/* What a thread writes is read before it was waited for. */
#include <pthread.h>

static int result;

static void *work(void *argument) {
    (void)argument;
    for (int i = 0; i < 2; i++)
        result = i; //~ BUG data-race
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int early = result; //~ BUG data-race
    pthread_join(thread, 0);
    return early;
}
