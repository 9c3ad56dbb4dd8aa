//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

int main(void) {
    pthread_barrier_t barrier;
    return pthread_barrier_init(&barrier, 0, 0) == 0; //~ BUG lock-misuse thread=t0
}
