// One release fence serves all relaxed stores behind it, one acquire fence all relaxed loads before it.
//@ property: data-race, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int data[2], ready[2];

void *writer(void *unused) {
    data[0] = 1;
    data[1] = 2;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&ready[0], 1, __ATOMIC_RELAXED);
    __atomic_store_n(&ready[1], 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    int first = __atomic_load_n(&ready[0], __ATOMIC_RELAXED);
    int second = __atomic_load_n(&ready[1], __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (first || second)
        assert(data[0] + data[1] == 3);
    pthread_join(a, 0);
}
