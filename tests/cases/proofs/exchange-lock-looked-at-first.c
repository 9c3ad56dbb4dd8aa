//@ property: data-race
//@ verdict: bug
//@ explore: random
/* A lock that is a flag, which is looked at and set in two steps. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static unsigned all;

static void *work(void *argument) {
    while (atomic_load(&lock))
        ;
    atomic_store(&lock, 1);
    all++; //~ BUG data-race
    atomic_store(&lock, 0);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
