// Two threads that do the same. Only the one that was started second knows what main learned between the two starts: that `x` is written.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdatomic.h>

int x;
atomic_int written, turns;

void *writer(void *unused) {
    x = 1; //~ BUG data-race thread=t1
    atomic_store_explicit(&written, 1, memory_order_release);
    return unused;
}

void *worker(void *unused) {
    if (atomic_fetch_add_explicit(&turns, 1, memory_order_relaxed) == 1)
        x++; //~ BUG data-race thread=t2
    return unused;
}

int main(void) {
    pthread_t w, a, b;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&a, 0, worker, 0);
    if (!atomic_load_explicit(&written, memory_order_acquire))
        return 0;
    pthread_create(&b, 0, worker, 0);
    return 0;
}
