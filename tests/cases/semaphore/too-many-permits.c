//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t lock;
int x;

void *work(void *unused) {
    sem_wait(&lock);
    x++;
    sem_post(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&lock, 0, 2);
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    assert(x == 2); //~ BUG assertion thread=t0
}
