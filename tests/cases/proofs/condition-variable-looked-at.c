//@ property: assertion
//@ verdict: bug
/* What a condition variable says of who waits is memory, which the program may look at. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *look(void *unused) {
    pthread_mutex_lock(&mutex);
    assert(*(long *)&condition == 0); //~ BUG assertion
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex);
    return 0;
}
