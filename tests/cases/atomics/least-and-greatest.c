// clang's built-ins: signed and unsigned, old and new values, an exchange that orders all.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int low = 3, high = 3, swapped;
unsigned wide = 7;

void *work(void *unused) {
    __sync_fetch_and_min(&low, -2);
    __sync_fetch_and_max(&high, 9);
    __sync_fetch_and_umax(&wide, -1);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    __atomic_fetch_min(&low, 1, __ATOMIC_RELAXED);
    __atomic_fetch_max(&high, 4, __ATOMIC_RELAXED);
    assert(__sync_swap(&swapped, 5) == 0 && swapped == 5);
    pthread_join(a, 0);
    assert(low == -2 && high == 9 && wide == 0xffffffffu);
    assert(__atomic_max_fetch(&low, 6, __ATOMIC_SEQ_CST) == 6 && __sync_fetch_and_umin((unsigned *)&low, 2) == 6);
    assert(low == 2);
}
