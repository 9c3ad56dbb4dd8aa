//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_barrier_t barrier;

int main(void) {
    pthread_barrier_init(&barrier, 0, 2);
    pthread_barrier_init(&barrier, 0, 3); //~ BUG lock-misuse thread=t0
}
