//@ property: assertion, data-race
//@ verdict: safe
//@ bounds: unwind=3
#include <assert.h>
#include <pthread.h>

_Atomic int count;
int data;
_Atomic int ready;

void *work(void *unused) {
    int seen = __c11_atomic_load(&count, __ATOMIC_RELAXED);
    while (!__c11_atomic_compare_exchange_weak(&count, &seen, seen + 1, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        ;
    data = 4;
    __c11_atomic_thread_fence(__ATOMIC_RELEASE);
    __c11_atomic_store(&ready, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t a;
    __c11_atomic_init(&count, 5);
    pthread_create(&a, 0, work, 0);
    __c11_atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
    if (__c11_atomic_load(&ready, __ATOMIC_ACQUIRE))
        assert(data == 4);
    pthread_join(a, 0);
    assert(__c11_atomic_exchange(&count, 0, __ATOMIC_SEQ_CST) == 7);
}
