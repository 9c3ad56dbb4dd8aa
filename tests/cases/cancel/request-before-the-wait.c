// It is there when the wait begins, so it wins.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t tokens;
int taken;

void *work(void *unused) {
    pthread_cancel(pthread_self());
    sem_wait(&tokens);
    taken = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&tokens, 0, 1);
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(!taken);
}
