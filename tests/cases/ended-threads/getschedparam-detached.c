//@ property: lock-misuse
//@ verdict: bug
#define _GNU_SOURCE
#include <pthread.h>

void *work(void *unused) { return unused; }

int main(void) {
    pthread_t a;
    struct sched_param parameters;
    int policy;
    pthread_create(&a, 0, work, 0);
    pthread_detach(a);
    pthread_getschedparam(a, &policy, &parameters); //~ BUG lock-misuse
}
