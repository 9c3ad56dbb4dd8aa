//@ property: deadlock
//@ verdict: unknown
//@ reason: depends on `produce`, which has no body
// It may release the semaphore.
#include <pthread.h>
#include <semaphore.h>

sem_t full;
void produce(void);

int main(void) {
    sem_init(&full, 0, 0);
    produce();
    sem_wait(&full);
    return 0;
}
