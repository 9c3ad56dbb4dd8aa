//@ property: lock-misuse
//@ verdict: bug
#define _GNU_SOURCE
#include <pthread.h>

void *work(void *unused) { return unused; }

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_tryjoin_np(a, 0); //~ BUG lock-misuse
}
