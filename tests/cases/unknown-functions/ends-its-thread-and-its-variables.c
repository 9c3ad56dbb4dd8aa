//@ property: memory-safety
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// If it ends the thread the variable is gone.
#include <pthread.h>
#include <semaphore.h>

static sem_t set, done;
static int *place;
void other(void);

static void *work(void *unused) {
    int local = 0;
    place = &local;
    sem_post(&set);
    other();
    sem_wait(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&set, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&thread, 0, work, 0);
    sem_wait(&set);
    *place = 1;
    sem_post(&done);
    pthread_join(thread, 0);
    return 0;
}
