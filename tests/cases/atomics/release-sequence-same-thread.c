// C11 and C17: a relaxed store of the thread that released continues the release sequence (5.1.2.4p10).
//@ property: data-race
//@ verdict: safe
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *writer(void *unused) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t a;
    int seen = 0;
    pthread_create(&a, 0, writer, 0);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        seen = data;
    pthread_join(a, 0);
    return seen;
}
