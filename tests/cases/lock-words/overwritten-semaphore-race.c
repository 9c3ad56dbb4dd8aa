//@ property: data-race
//@ verdict: bug
// A semaphore that is overwritten while another thread waits for it: the wait ends behind the write alone, and races with it.
#include <pthread.h>
#include <semaphore.h>
sem_t l, saved;
int x;
void *other(void *argument) {
    sem_wait(&l); //~ BUG data-race
    x = 2; //~ BUG data-race
    sem_post(&l);
    return 0;
}
int main(void) {
    pthread_t t;
    sem_init(&l, 0, 1);
    saved = l;
    sem_wait(&l);
    pthread_create(&t, 0, other, 0);
    x = 1; //~ BUG data-race
    l = saved; //~ BUG data-race
    pthread_join(t, 0);
    return 0;
}
