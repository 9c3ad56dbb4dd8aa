// One thread makes, the other frees.
//@ property: memory-safety, data-race, deadlock
//@ verdict: safe
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

sem_t filled;
int *box;

void *consumer(void *unused) {
    sem_wait(&filled);
    free(box);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&filled, 0, 0);
    pthread_create(&a, 0, consumer, 0);
    box = malloc(sizeof *box);
    *box = 3;
    sem_post(&filled);
    pthread_join(a, 0);
}
