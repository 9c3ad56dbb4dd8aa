// Unlike a condition variable, a semaphore keeps a post that comes before the wait.
//@ property: deadlock
//@ verdict: safe
#include <pthread.h>
#include <semaphore.h>

sem_t event;

void *work(void *unused) {
    sem_post(&event);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&event, 0, 0);
    pthread_create(&a, 0, work, 0);
    sem_wait(&event);
    pthread_join(a, 0);
}
