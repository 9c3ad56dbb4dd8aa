// To destroy a lock is to write it: who copies it at the same time races.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

sem_t lock, copy;

void *look(void *unused) {
    memcpy(&copy, &lock, sizeof copy); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&lock, 0, 1);
    pthread_create(&a, 0, look, 0);
    sem_destroy(&lock); //~ BUG data-race
    pthread_join(a, 0);
}
