//@ property: assertion, deadlock, lock-misuse
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *against_reader(void *unused) {
    struct timespec deadline = {1, 0};
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedwrlock(&lock, &deadline) == ETIMEDOUT);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    pthread_rwlock_unlock(&lock);
    return unused;
}

void *against_writer(void *unused) {
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&a, 0, against_reader, 0);
    pthread_join(a, 0);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    pthread_create(&a, 0, against_writer, 0);
    pthread_join(a, 0);
    pthread_rwlock_unlock(&lock);
}
