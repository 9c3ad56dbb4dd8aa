// Whoever is let through first may destroy it and give its memory back at once.
//@ property: lock-misuse, memory-safety, deadlock, data-race
//@ verdict: safe
#include <pthread.h>
#include <stdlib.h>

void *work(void *barrier) {
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        pthread_barrier_destroy(barrier);
        free(barrier);
    }
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_barrier_t *barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, 0, 2);
    pthread_create(&a, 0, work, barrier);
    work(barrier);
    pthread_join(a, 0);
}
