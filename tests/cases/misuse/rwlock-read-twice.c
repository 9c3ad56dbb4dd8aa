// A thread may read under a lock several times, and under several locks, and gives each back as often.
//@ property: lock-misuse, deadlock
//@ verdict: safe
#include <pthread.h>

pthread_rwlock_t one = PTHREAD_RWLOCK_INITIALIZER, two = PTHREAD_RWLOCK_INITIALIZER;

void *reader(void *unused) {
    pthread_rwlock_rdlock(&one);
    pthread_rwlock_rdlock(&two);
    pthread_rwlock_tryrdlock(&one);
    pthread_rwlock_unlock(&one);
    pthread_rwlock_unlock(&two);
    pthread_rwlock_unlock(&one);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, reader, 0);
    reader(0);
    pthread_join(a, 0);
    pthread_rwlock_wrlock(&one);
    pthread_rwlock_unlock(&one);
}
