//@ property: assertion, deadlock, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t empty, full;
int slot;

void *producer(void *unused) {
    for (int i = 1; i <= 3; i++) {
        sem_wait(&empty);
        slot = i;
        sem_post(&full);
    }
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    pthread_create(&a, 0, producer, 0);
    for (int i = 1; i <= 3; i++) {
        sem_wait(&full);
        assert(slot == i);
        sem_post(&empty);
    }
    pthread_join(a, 0);
}
