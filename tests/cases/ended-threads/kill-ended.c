// A thread that may have ended is there until it is joined.
//@ property: lock-misuse
//@ verdict: safe
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
    sem_post(&go);
    pthread_kill(a, 0);
    pthread_join(a, 0);
}
