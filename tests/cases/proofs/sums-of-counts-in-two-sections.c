//@ property: assertion
//@ verdict: bug
//@ explore: random
/* What is counted together is counted in two critical sections. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned requests, hits;

static void *serve(void *argument) {
    pthread_mutex_lock(&lock);
    requests++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    hits++;
    assert(requests == hits); //~ BUG assertion
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, serve, 0);
    pthread_create(&thread, 0, serve, 0);
    pthread_exit(0);
}
