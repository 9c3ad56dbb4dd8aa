// The barrier waits for three, two come.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>

pthread_barrier_t barrier;

void *work(void *unused) {
    pthread_barrier_wait(&barrier); //~ BUG deadlock
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_barrier_init(&barrier, 0, 3);
    pthread_create(&a, 0, work, 0);
    pthread_barrier_wait(&barrier); //~ BUG deadlock
    pthread_join(a, 0);
}
