// What is written between the two stores is not in the sequence.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *writer(void *unused) {
    atomic_store_explicit(&flag, 1, memory_order_release);
    data = 1; //~ BUG data-race
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t a;
    int seen = 0;
    pthread_create(&a, 0, writer, 0);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        seen = data; //~ BUG data-race
    pthread_join(a, 0);
    return seen;
}
