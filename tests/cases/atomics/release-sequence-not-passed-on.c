// An update passes on what it saw, but a store of its thread does not: that sequence was begun by another thread.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *relay(void *unused) {
    if (atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed) == 1)
        atomic_store_explicit(&flag, 9, memory_order_relaxed);
    return unused;
}

void *reader(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_acquire) == 9)
        data++; //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, relay, 0);
    pthread_create(&b, 0, reader, 0);
    data = 1; //~ BUG data-race
    atomic_store_explicit(&flag, 1, memory_order_release);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
