// Somebody reads, and somebody else unlocks.
//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>
#include <semaphore.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t reading, done;

void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    sem_post(&reading);
    sem_wait(&done);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&reading, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&a, 0, reader, 0);
    sem_wait(&reading);
    pthread_rwlock_unlock(&lock); //~ BUG lock-misuse thread=t0
    sem_post(&done);
    pthread_join(a, 0);
}
