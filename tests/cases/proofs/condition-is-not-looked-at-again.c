//@ property: assertion
//@ verdict: bug
//@ finds: exhaustive
/* Of two threads that are woken one finds nothing. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void *get(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    if (!full)
        pthread_cond_wait(&changed, &lock);
    assert(full == 1); //~ BUG assertion
    full = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, get, 0);
    pthread_create(&other, 0, get, 0);
    pthread_detach(one);
    pthread_detach(other);
    pthread_mutex_lock(&lock);
    full = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_exit(0);
}
