// Fences make a spin lock of relaxed accesses one that orders.
//@ property: data-race, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int taken, count;

void *add(void *unused) {
    while (__atomic_exchange_n(&taken, 1, __ATOMIC_RELAXED))
        ;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    count++;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&taken, 0, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
}
