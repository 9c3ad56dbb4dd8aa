// The copy of a barrier is none.
//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_barrier_t barrier, copy;

int main(void) {
    pthread_barrier_init(&barrier, 0, 1);
    copy = barrier;
    pthread_barrier_wait(&copy); //~ BUG lock-misuse thread=t0
}
