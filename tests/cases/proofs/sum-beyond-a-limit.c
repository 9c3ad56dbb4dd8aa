//@ property: assertion
//@ verdict: bug
//@ explore: random
/* A token bucket that is looked at and filled in two critical sections. */
#include <assert.h>
#include <pthread.h>

static unsigned tokens;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *argument) {
    unsigned more = 600;
    pthread_mutex_lock(&lock);
    int fits = more <= 1000 - tokens;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (fits)
        tokens += more;
    assert(tokens <= 1000); //~ BUG assertion
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    pthread_create(&thread, 0, fill, 0);
    pthread_exit(0);
}
