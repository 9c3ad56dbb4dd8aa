// A mutex that checks for errors says so, also one that is initialised statically.
//@ property: assertion, deadlock, lock-misuse
//@ verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
    assert(pthread_cond_wait(&condition, &mutex) == EPERM);
}
