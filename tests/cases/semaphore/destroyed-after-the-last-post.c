// What a thread did with the semaphore before it posted happens before the wait that takes the token.
//@ property: data-race
//@ verdict: safe
#include <pthread.h>
#include <semaphore.h>

sem_t done;
int result;

void *work(void *unused) {
    result = 7;
    sem_post(&done);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&done, 0, 0);
    pthread_create(&a, 0, work, 0);
    sem_wait(&done);
    sem_destroy(&done);
    pthread_join(a, 0);
    return result != 7;
}
