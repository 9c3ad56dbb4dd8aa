// POSIX: it may be destroyed, and its memory given back, as soon as all who waited are woken.
//@ property: lock-misuse, memory-safety, deadlock
//@ verdict: safe
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t *changed;
int waiting, done;

void *waiter(void *unused) {
    pthread_mutex_lock(&lock);
    waiting = 1;
    while (!done)
        pthread_cond_wait(changed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    changed = malloc(sizeof *changed);
    pthread_cond_init(changed, 0);
    pthread_create(&a, 0, waiter, 0);
    pthread_mutex_lock(&lock);
    if (waiting) {
        done = 1;
        pthread_cond_broadcast(changed);
        pthread_cond_destroy(changed);
        free(changed);
        pthread_mutex_unlock(&lock);
    } else {
        done = 1;
        pthread_mutex_unlock(&lock);
    }
    pthread_join(a, 0);
}
