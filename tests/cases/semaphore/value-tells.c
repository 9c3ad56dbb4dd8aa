// A semaphore's value tells that it was posted, but only waiting for it orders.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>
#include <semaphore.h>

sem_t posted;
int data;

void *poster(void *unused) {
    data = 1; //~ BUG data-race
    sem_post(&posted);
    return unused;
}

int main(void) {
    pthread_t a;
    int value = 0, seen = 0;
    sem_init(&posted, 0, 0);
    pthread_create(&a, 0, poster, 0);
    sem_getvalue(&posted, &value);
    if (value)
        seen = data; //~ BUG data-race
    pthread_join(a, 0);
    return seen;
}
