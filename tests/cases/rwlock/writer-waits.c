// A writer must not come while another reads: here it would have to.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>
#include <semaphore.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t inside;

void *writer(void *unused) {
    pthread_rwlock_wrlock(&lock); //~ BUG deadlock
    sem_post(&inside);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&inside, 0, 0);
    pthread_rwlock_rdlock(&lock);
    pthread_create(&a, 0, writer, 0);
    sem_wait(&inside); //~ BUG deadlock
    pthread_rwlock_unlock(&lock);
    pthread_join(a, 0);
}
