//@ property: assertion
//@ verdict: bug
//@ explore: random
/* The loop that starts threads makes one round too many. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned wanted, arrived;

static void *arrive(void *argument) {
    pthread_mutex_lock(&lock);
    arrived++;
    assert(arrived <= wanted); //~ BUG assertion
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    wanted = 2;
    for (unsigned i = 0; i <= wanted; i++)
        pthread_create(&thread, 0, arrive, 0);
    pthread_exit(0);
}
