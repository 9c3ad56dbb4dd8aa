//@ property: assertion, deadlock
//@ verdict: safe
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

int x;

void *work(void *unused) {
    sem_t *same = sem_open("/name", 0);
    assert(same != SEM_FAILED);
    x = 1;
    sem_post(same);
    return unused;
}

int main(void) {
    pthread_t a;
    assert(sem_open("/other", 0) == SEM_FAILED);
    sem_t *ready = sem_open("/name", O_CREAT, 0600, 0);
    if (ready == SEM_FAILED)
        return 0;
    pthread_create(&a, 0, work, 0);
    sem_wait(ready);
    assert(x == 1);
    pthread_join(a, 0);
    sem_close(ready);
    assert(sem_unlink("/name") == 0);
}
