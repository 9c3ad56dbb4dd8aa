// A mutex that is free may be locked without a look at the time.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    struct timespec never = {0, -1};
    int result = pthread_mutex_timedlock(&mutex, &never);
    assert(result == 0 || result == EINVAL);
    assert(result == EINVAL); //~ BUG assertion
}
