//@ property: assertion
//@ verdict: bug
//@ explore: random
/* The same with three times as many rounds each time, which passes the limit by. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;

static void *work(void *argument) {
    unsigned rounds = 1;
    while (atomic_exchange(&lock, 1)) {
        assert(rounds >= 1 && rounds <= 64); //~ BUG assertion
        if (rounds < 64)
            rounds *= 3;
    }
    (void)argument;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
