// Relaxed accesses between fences: the fences order the data.
//@ property: data-race, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int data;
int ready;

void *writer(void *unused) {
    data = 42;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    if (__atomic_load_n(&ready, __ATOMIC_RELAXED)) {
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        assert(data == 42);
    }
    pthread_join(a, 0);
}
