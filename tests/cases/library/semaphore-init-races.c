//@ property: data-race
//@ verdict: bug
// The object is all zeros before, so that using it is no mistake of another kind.
#include <pthread.h>
#include <semaphore.h>

sem_t semaphore;

void *begin(void *unused) {
    sem_init(&semaphore, 0, 1); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, begin, 0);
    sem_post(&semaphore); //~ BUG data-race
    pthread_join(a, 0);
}
