// Who goes to sleep and who brings work look behind a fence.
//@ property: deadlock
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <pthread.h>
#include <semaphore.h>

int work, sleeping;
sem_t wakes;

void *worker(void *unused) {
    sleeping = 1;
    __sync_synchronize();
    if (!work)
        sem_wait(&wakes);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&wakes, 0, 0);
    pthread_create(&a, 0, worker, 0);
    work = 1;
    __sync_synchronize();
    if (sleeping)
        sem_post(&wakes);
    pthread_join(a, 0);
}
