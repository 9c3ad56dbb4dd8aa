//@ property: deadlock
//@ verdict: bug
#include <pthread.h>
#include <semaphore.h>

sem_t items;

void *work(void *unused) {
    sem_wait(&items); //~ BUG deadlock
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&items, 0, 1);
    pthread_create(&a, 0, work, 0);
    sem_wait(&items); //~ BUG deadlock
    pthread_join(a, 0); //~ BUG deadlock
}
