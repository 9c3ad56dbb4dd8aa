//@ property: assertion
//@ verdict: bug
/* The local variable of one branch is what another thread has stored by then. */
#include <assert.h>
#include <pthread.h>

static int ready;

static void *work(void *argument) {
    if (ready < 2) {
        int value = 1;
        int *place = &value;
        *place += ready;
        ready = *place;
        assert(ready == 1); //~ BUG assertion
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
