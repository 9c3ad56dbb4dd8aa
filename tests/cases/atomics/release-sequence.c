// Another thread's read-modify-write keeps the release alive (C11 5.1.2.4p10).
//@ property: data-race, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int data, counter;

void *writer(void *unused) {
    data = 1;
    __atomic_store_n(&counter, 1, __ATOMIC_RELEASE);
    return unused;
}

void *bump(void *unused) {
    __atomic_fetch_add(&counter, 10, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, bump, 0);
    if (__atomic_load_n(&counter, __ATOMIC_ACQUIRE) == 11)
        assert(data == 1);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
