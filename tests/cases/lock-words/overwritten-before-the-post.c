//@ property: data-race
//@ verdict: safe
// Who holds the semaphore may write all of it: another thread takes it behind the post, and so behind the write.
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
sem_t l;
int x;
void *other(void *argument) {
    sem_wait(&l);
    x = 2;
    sem_post(&l);
    return 0;
}
int main(void) {
    pthread_t t;
    sem_init(&l, 0, 1);
    pthread_create(&t, 0, other, 0);
    sem_wait(&l);
    x = 1;
    memset(&l, 0, sizeof l);
    sem_post(&l);
    pthread_join(t, 0);
    return 0;
}
