//@ property: assertion, deadlock
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

sem_t items;

void *work(void *unused) {
    sem_post(&items);
    return unused;
}

int main(void) {
    pthread_t a;
    int value;
    struct timespec deadline = {1, 0};
    sem_init(&items, 0, 0);
    assert(sem_trywait(&items) == -1 && errno == EAGAIN);
    pthread_create(&a, 0, work, 0);
    int taken = sem_timedwait(&items, &deadline) == 0;
    assert(taken || errno == ETIMEDOUT);
    pthread_join(a, 0);
    assert(sem_getvalue(&items, &value) == 0 && value == 1 - taken);
    sem_destroy(&items);
}
