// Strictly in turn: after the create there is one order only.
//@ property: assertion, data-race, deadlock
//@ verdict: safe
//@ executions: 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t ping, pong;
int x;

void *work(void *unused) {
    sem_wait(&ping);
    x = x * 2;
    sem_post(&pong);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    pthread_create(&a, 0, work, 0);
    x = 3;
    sem_post(&ping);
    sem_wait(&pong);
    assert(x == 6);
    pthread_join(a, 0);
}
