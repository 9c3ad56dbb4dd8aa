//@ property: data-race
//@ verdict: bug
/* The flag is set before the data is complete. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static _Atomic int ready;

static void *read_it(void *argument) {
    (void)argument;
    if (ready == 1) {
        int seen = data; //~ BUG data-race
        (void)seen;
    }
    return 0;
}

static void *write_it(void *argument) {
    (void)argument;
    data = 1;
    ready = 1;
    data = 2; //~ BUG data-race
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, write_it, 0);
    pthread_create(&thread, 0, read_it, 0);
}
