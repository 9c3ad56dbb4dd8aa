// MP with a release fence between the message and the flag.
//@ property: assertion, data-race
//@ verdict: safe
//@ verdict-tso: safe
//@ verdict-pso: safe
#include <assert.h>
#include <pthread.h>

int data, ready, seen = 1;

void *first(void *unused) {
    data = 1;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
    return unused;
}

void *second(void *unused) {
    if (__atomic_load_n(&ready, __ATOMIC_RELAXED)) {
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        seen = data;
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(seen == 1);
}
