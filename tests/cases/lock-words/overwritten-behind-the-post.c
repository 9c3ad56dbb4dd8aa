//@ property: data-race
//@ verdict: bug
// The post comes before the write, so nothing orders that with who takes the semaphore.
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
sem_t l;
void *other(void *argument) {
    sem_wait(&l); //~ BUG data-race
    return 0;
}
int main(void) {
    pthread_t t;
    sem_init(&l, 0, 1);
    pthread_create(&t, 0, other, 0);
    sem_wait(&l);
    sem_post(&l);
    memset(&l, 0, sizeof l); //~ BUG data-race
    pthread_join(t, 0);
    return 0;
}
