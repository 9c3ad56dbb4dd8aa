// The thread waits until main has read what is the thread's own.
//@ property: memory-safety, data-race, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

_Thread_local int own;
int *published;
sem_t ready, done;

void *work(void *unused) {
    (void)unused;
    own = 1;
    published = &own;
    sem_post(&ready);
    sem_wait(&done);
    return 0;
}

int main(void) {
    pthread_t a;
    sem_init(&ready, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&a, 0, work, 0);
    sem_wait(&ready);
    assert(*published == 1);
    sem_post(&done);
    pthread_join(a, 0);
}
