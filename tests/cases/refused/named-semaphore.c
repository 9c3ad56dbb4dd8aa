//@ property: assertion
//@ verdict: unknown
//@ reason: sem_open
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_t *semaphore = sem_open("/name", O_CREAT, 0600, 1);
    return sem_wait(semaphore);
}
