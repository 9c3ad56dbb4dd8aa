//@ property: data-race
//@ verdict: bug
// One of them writes the second handle, which main reads when it has joined the first: that is ordered only if it was the first.
#include <pthread.h>
#include <semaphore.h>

pthread_t t[2];
sem_t created;

void *work(void *unused) {
    if (sem_trywait(&created) == 0) {
        pthread_t same = t[1];
        t[1] = same; //~ BUG data-race
    }
    return unused;
}

int main(void) {
    sem_init(&created, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    sem_post(&created);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0); //~ BUG data-race
}
