// Two threads wait for each other's end.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>
#include <semaphore.h>

pthread_t a, b;
sem_t both_started;

void *join_b(void *unused) {
    sem_wait(&both_started);
    pthread_join(b, 0); //~ BUG deadlock
    return unused;
}

void *join_a(void *unused) {
    pthread_join(a, 0); //~ BUG deadlock
    return unused;
}

int main(void) {
    sem_init(&both_started, 0, 0);
    pthread_create(&a, 0, join_b, 0);
    pthread_create(&b, 0, join_a, 0);
    sem_post(&both_started);
    pthread_exit(0);
}
