//@ property: deadlock, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t never;
int behind;

void *work(void *unused) {
    sem_wait(&never);
    behind = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&never, 0, 0);
    pthread_create(&a, 0, work, 0);
    pthread_cancel(a);
    pthread_join(a, 0);
    assert(behind == 0);
}
