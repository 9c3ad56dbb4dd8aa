//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_barrier_t barrier;

void *work(void *unused) {
    pthread_barrier_wait(&barrier); //~ BUG lock-misuse
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_barrier_init(&barrier, 0, 2);
    pthread_barrier_wait(&barrier);
    pthread_join(a, 0);
}
