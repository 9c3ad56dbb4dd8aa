//@ property: deadlock
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// It may open the semaphore, too.
#include <fcntl.h>
#include <semaphore.h>

void other(void);

int main(void) {
    sem_t *full = sem_open("/full", O_CREAT, 0600, 0);
    other();
    sem_wait(full);
    return 0;
}
