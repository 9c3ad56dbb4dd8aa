// The reader has its fence on one of two ways only.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

int data, ready;

void *writer(void *unused) {
    data = 1; //~ BUG data-race
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
    return unused;
}

int main(void) {
    pthread_t a;
    int seen = 0;
    pthread_create(&a, 0, writer, 0);
    if (__atomic_load_n(&ready, __ATOMIC_RELAXED)) {
        if (__VERIFIER_nondet_bool())
            __atomic_thread_fence(__ATOMIC_ACQUIRE);
        seen = data; //~ BUG data-race
    }
    pthread_join(a, 0);
    return seen;
}
