// A release fence before a relaxed store gives nothing to a relaxed load without a fence behind it.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>

int data, ready;

void *writer(void *unused) {
    data = 1; //~ BUG data-race
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t a;
    int seen = 0;
    pthread_create(&a, 0, writer, 0);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (__atomic_load_n(&ready, __ATOMIC_RELAXED))
        seen = data; //~ BUG data-race
    pthread_join(a, 0);
    return seen;
}
