//@ property: lock-misuse
//@ verdict: bug
#define _GNU_SOURCE
#include <pthread.h>

int main(void) {
    pthread_tryjoin_np(pthread_self(), 0); //~ BUG lock-misuse
}
