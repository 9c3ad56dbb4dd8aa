//@ property: assertion
//@ verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_attr_t thread;
    size_t size = 0;
    int value = -1;
    struct sched_param parameters = {50};
    pthread_attr_init(&thread);
    pthread_attr_setdetachstate(&thread, PTHREAD_CREATE_DETACHED);
    pthread_attr_setguardsize(&thread, 8192);
    pthread_attr_setstacksize(&thread, 65536);
    pthread_attr_setschedpolicy(&thread, SCHED_FIFO);
    assert(pthread_attr_setschedparam(&thread, &parameters) == 0);
    parameters.sched_priority = 0;
    assert(pthread_attr_getdetachstate(&thread, &value) == 0 && value == PTHREAD_CREATE_DETACHED);
    assert(pthread_attr_getguardsize(&thread, &size) == 0 && size == 8192);
    assert(pthread_attr_getstacksize(&thread, &size) == 0 && size == 65536);
    assert(pthread_attr_getschedpolicy(&thread, &value) == 0 && value == SCHED_FIFO);
    assert(pthread_attr_getschedparam(&thread, &parameters) == 0 && parameters.sched_priority == 50);
    assert(pthread_attr_setstacksize(&thread, 1) != 0);
    pthread_attr_destroy(&thread);

    pthread_mutexattr_t mutex;
    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_settype(&mutex, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_INHERIT);
    pthread_mutexattr_setprioceiling(&mutex, 7);
    pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_ROBUST);
    assert(pthread_mutexattr_gettype(&mutex, &value) == 0 && value == PTHREAD_MUTEX_ERRORCHECK);
    assert(pthread_mutexattr_getpshared(&mutex, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    assert(pthread_mutexattr_getprotocol(&mutex, &value) == 0 && value == PTHREAD_PRIO_INHERIT);
    assert(pthread_mutexattr_getprioceiling(&mutex, &value) == 0 && value == 7);
    assert(pthread_mutexattr_getrobust(&mutex, &value) == 0 && value == PTHREAD_MUTEX_ROBUST);

    pthread_condattr_t condition;
    clockid_t clock = 9;
    pthread_condattr_init(&condition);
    pthread_condattr_setclock(&condition, CLOCK_MONOTONIC);
    pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
    assert(pthread_condattr_getclock(&condition, &clock) == 0 && clock == CLOCK_MONOTONIC);
    assert(pthread_condattr_getpshared(&condition, &value) == 0 && value == PTHREAD_PROCESS_SHARED);

    pthread_rwlockattr_t lock;
    pthread_rwlockattr_init(&lock);
    pthread_rwlockattr_setkind_np(&lock, PTHREAD_RWLOCK_PREFER_WRITER_NP);
    assert(pthread_rwlockattr_getkind_np(&lock, &value) == 0 && value == PTHREAD_RWLOCK_PREFER_WRITER_NP);
}
