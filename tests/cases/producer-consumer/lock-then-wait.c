// The consumer waits for an item with the lock in its hands; the producer needs the lock.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
sem_t full;
int slot;

void *producer(void *unused) {
    pthread_mutex_lock(&lock); //~ BUG deadlock
    slot = 1;
    pthread_mutex_unlock(&lock);
    sem_post(&full);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&full, 0, 0);
    pthread_create(&a, 0, producer, 0);
    pthread_mutex_lock(&lock);
    sem_wait(&full); //~ BUG deadlock
    slot = 0;
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
}
