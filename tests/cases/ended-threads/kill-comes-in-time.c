// The thread cannot have ended: the signal ends the process.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

sem_t go;

void *work(void *unused) {
    sem_wait(&go);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&go, 0, 0);
    pthread_create(&a, 0, work, 0);
    pthread_kill(a, SIGTERM);
    assert(0);
}
