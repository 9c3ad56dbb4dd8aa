//@ property: deadlock, data-race, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
sem_t full;
int slot;

void *producer(void *unused) {
    pthread_mutex_lock(&lock);
    slot++;
    pthread_mutex_unlock(&lock);
    sem_post(&full);
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&full, 0, 0);
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, producer, 0);
    for (int i = 0; i < 2; i++) {
        sem_wait(&full);
        pthread_mutex_lock(&lock);
        assert(slot >= 1);
        slot--;
        pthread_mutex_unlock(&lock);
    }
    assert(slot == 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
