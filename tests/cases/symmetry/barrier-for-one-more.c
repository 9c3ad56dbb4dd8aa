//@ property: deadlock
//@ verdict: bug
// There are three, and the barrier lets pairs through.
#include <pthread.h>

pthread_barrier_t barrier;

void *work(void *unused) {
    pthread_barrier_wait(&barrier); //~ BUG deadlock
    return unused;
}

int main(void) {
    pthread_t t[3];
    pthread_barrier_init(&barrier, 0, 2);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0); //~ BUG deadlock
}
