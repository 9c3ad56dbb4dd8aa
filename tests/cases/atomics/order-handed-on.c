//@ property: data-race
//@ verdict: safe
// The order of an operation is the value of an argument, wherever it comes from.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static inline void put(atomic_int *to, int value, memory_order order) {
    atomic_store_explicit(to, value, order);
}

static inline int get(atomic_int *from, memory_order order) {
    return atomic_load_explicit(from, order);
}

static void *writer(void *argument) {
    data = 1;
    put(&ready, 1, memory_order_release);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    if (get(&ready, memory_order_acquire))
        data = 2;
    pthread_join(thread, 0);
}
