//@ property: assertion
//@ verdict: safe
//@ verdict-tso: bug
//@ verdict-pso: bug
// By their tickets they take different sides of store buffering.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic int tickets, sides[2], both;

void *work(void *unused) {
    int side = atomic_fetch_add(&tickets, 1);
    atomic_store_explicit(&sides[side], 1, memory_order_relaxed);
    if (!atomic_load_explicit(&sides[1 - side], memory_order_relaxed))
        assert(atomic_fetch_add(&both, 1) == 0); //~ BUG assertion
    return unused;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
