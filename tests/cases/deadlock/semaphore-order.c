// Two semaphores used as locks, taken in opposite orders.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>
#include <semaphore.h>

sem_t first, second;

void *work(void *unused) {
    sem_wait(&first);
    sem_wait(&second); //~ BUG deadlock
    sem_post(&second);
    sem_post(&first);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&first, 0, 1);
    sem_init(&second, 0, 1);
    pthread_create(&a, 0, work, 0);
    sem_wait(&second);
    sem_wait(&first); //~ BUG deadlock
    sem_post(&first);
    sem_post(&second);
    pthread_join(a, 0);
}
