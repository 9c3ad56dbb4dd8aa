// Who goes to sleep and who brings work do not see each other: nobody wakes the sleeper.
//@ property: deadlock
//@ verdict: safe
//@ verdict-tso: bug
//@ verdict-pso: bug
#include <pthread.h>
#include <semaphore.h>

int work, sleeping;
sem_t wakes;

void *worker(void *unused) {
    sleeping = 1;
    if (!work)
        sem_wait(&wakes); //~ BUG deadlock
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&wakes, 0, 0);
    pthread_create(&a, 0, worker, 0);
    work = 1;
    if (sleeping)
        sem_post(&wakes);
    pthread_join(a, 0);
}
