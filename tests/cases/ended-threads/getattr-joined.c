//@ property: lock-misuse
//@ verdict: bug
#define _GNU_SOURCE
#include <pthread.h>

void *work(void *unused) { return unused; }

int main(void) {
    pthread_t a;
    pthread_attr_t attributes;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_getattr_np(a, &attributes); //~ BUG lock-misuse
}
