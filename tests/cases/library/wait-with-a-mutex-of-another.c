//@ property: lock-misuse, assertion, deadlock
//@ verdict: safe
// With a mutex that checks for errors the wait returns EPERM; with others it would be misuse.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &attributes);
    assert(pthread_cond_wait(&condition, &mutex) == EPERM);
    return 0;
}
