//@ property: data-race, lock-misuse, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t mutex;
sem_t ready;
int x;

void *work(void *unused) {
    sem_wait(&ready); // the mutex is initialised behind this
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&ready, 0, 0);
    pthread_create(&a, 0, work, 0);
    pthread_mutex_init(&mutex, 0);
    sem_post(&ready);
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    pthread_join(a, 0);
    assert(x == 2);
}
