// Nobody ever signals; only a spurious wake-up leads past the wait, and POSIX allows it.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock);
    assert(0); //~ BUG assertion thread=t0
}
