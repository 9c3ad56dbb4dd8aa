//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>
#include <semaphore.h>

sem_t items;

void *work(void *unused) {
    sem_post(&items); //~ BUG lock-misuse thread=t1
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
}
