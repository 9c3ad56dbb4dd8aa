//@ property: lock-misuse
//@ verdict: bug
#define _GNU_SOURCE
#include <pthread.h>

void *work(void *unused) { return unused; }

int main(void) {
    pthread_t a;
    cpu_set_t processors = {0};
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_setaffinity_np(a, sizeof processors, &processors); //~ BUG lock-misuse
}
