//@ property: lock-misuse
//@ verdict: bug
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

void *work(void *unused) { return unused; }

int main(void) {
    pthread_t a;
    struct timespec deadline = {1, 0};
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_clockjoin_np(a, 0, CLOCK_MONOTONIC, &deadline); //~ BUG lock-misuse
}
