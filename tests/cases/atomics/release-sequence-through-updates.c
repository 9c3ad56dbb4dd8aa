// An update of another thread between does not end the sequence.
//@ property: data-race
//@ verdict: safe
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *other(void *unused) {
    atomic_fetch_add_explicit(&flag, 10, memory_order_relaxed);
    return unused;
}

void *reader(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        data++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, other, 0);
    pthread_create(&b, 0, reader, 0);
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
