// Whoever lets go last destroys the lock and frees its memory: all that the others did with the lock happens before.
//@ property: data-race
//@ verdict: safe
#include <pthread.h>
#include <stdlib.h>

struct shared { pthread_mutex_t lock; int users; } *shared;

void *work(void *unused) {
    pthread_mutex_lock(&shared->lock);
    int left = --shared->users;
    pthread_mutex_unlock(&shared->lock);
    if (left == 0) {
        pthread_mutex_destroy(&shared->lock);
        free(shared);
    }
    return unused;
}

int main(void) {
    pthread_t a;
    shared = malloc(sizeof *shared);
    if (!shared)
        return 1;
    pthread_mutex_init(&shared->lock, 0);
    shared->users = 2;
    if (pthread_create(&a, 0, work, 0))
        return 1;
    work(0);
    pthread_join(a, 0);
}
