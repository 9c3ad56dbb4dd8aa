//@ property: data-race, assertion, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t done;
int value;

void *work(void *unused) {
    value = 5;
    sem_post(&done);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&done, 0, 0);
    pthread_create(&a, 0, work, 0);
    sem_wait(&done);
    assert(value == 5);
    value = 6;
    pthread_join(a, 0);
}
