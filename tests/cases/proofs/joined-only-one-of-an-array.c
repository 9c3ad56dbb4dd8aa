//@ property: assertion
//@ verdict: bug
/* The other one may not have ended. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *work(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    done++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    pthread_join(threads[0], 0);
    pthread_mutex_lock(&lock);
    assert(done == 2); //~ BUG assertion
    pthread_mutex_unlock(&lock);
    pthread_join(threads[1], 0);
    return 0;
}
