// A reader may come while another reads.
//@ property: deadlock, assertion, lock-misuse
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t inside;

void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    sem_post(&inside);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&inside, 0, 0);
    pthread_rwlock_rdlock(&lock);
    pthread_create(&a, 0, reader, 0);
    sem_wait(&inside);
    pthread_rwlock_unlock(&lock);
    pthread_join(a, 0);
}
