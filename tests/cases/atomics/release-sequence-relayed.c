// A relay that acquires and releases passes on what it was told.
//@ property: data-race, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int data, flag;

void *writer(void *unused) {
    data = 1;
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return unused;
}

void *relay(void *unused) {
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 1)
        __atomic_store_n(&flag, 2, __ATOMIC_RELEASE);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, relay, 0);
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 2)
        assert(data == 1);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
