//@ property: data-race
//@ verdict: bug
/* The accesses are never both next, but nothing orders them. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static _Atomic int ready;

static void *read_it(void *argument) {
    (void)argument;
    if (atomic_load_explicit(&ready, memory_order_relaxed) == 1) {
        int seen = data; //~ BUG data-race
        (void)seen;
    }
    return 0;
}

static void *write_it(void *argument) {
    (void)argument;
    data = 1; //~ BUG data-race
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, write_it, 0);
    pthread_create(&thread, 0, read_it, 0);
}
