// POSIX lets a barrier be destroyed as soon as all are let through; those who still have to leave it do not race with that.
//@ property: data-race
//@ verdict: safe
#include <pthread.h>

pthread_barrier_t barrier;

void *work(void *unused) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        pthread_barrier_destroy(&barrier);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
}
