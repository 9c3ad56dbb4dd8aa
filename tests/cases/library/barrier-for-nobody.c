//@ property: lock-misuse, assertion
//@ verdict: safe
// POSIX defines what happens: EINVAL is returned, and there is no barrier.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_barrier_t barrier;
    assert(pthread_barrier_init(&barrier, 0, 0) == EINVAL);
    return 0;
}
