// Each way to join, of a thread that is there; who was told that it is too early joins again.
//@ property: lock-misuse
//@ verdict: safe
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

void *work(void *unused) { return unused; }

int main(void) {
    pthread_t a;
    struct timespec deadline = {1, 0};
    pthread_create(&a, 0, work, 0);
    if (pthread_tryjoin_np(a, 0) != 0 && pthread_timedjoin_np(a, 0, &deadline) != 0 &&
        pthread_clockjoin_np(a, 0, CLOCK_MONOTONIC, &deadline) != 0)
        pthread_detach(a);
}
