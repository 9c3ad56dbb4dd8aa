// Two threads that do the same. Only the one that was started first does not know of the write between the two starts.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdatomic.h>

int x;
atomic_int turns;

void *worker(void *unused) {
    if (atomic_fetch_add_explicit(&turns, 1, memory_order_relaxed) == 1)
        x++; //~ BUG data-race thread=t1
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    x = 1; //~ BUG data-race thread=t0
    pthread_create(&b, 0, worker, 0);
    return 0;
}
