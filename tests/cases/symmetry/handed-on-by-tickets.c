//@ property: data-race, assertion
//@ verdict: safe
//@ verdict-pso: safe
// Each waits until it is its turn, and learns what those before it did.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
_Atomic int tickets, served;

void *work(void *unused) {
    int ticket = atomic_fetch_add_explicit(&tickets, 1, memory_order_relaxed);
    while (atomic_load_explicit(&served, memory_order_acquire) != ticket)
        ;
    data++;
    assert(data == ticket + 1);
    atomic_store_explicit(&served, ticket + 1, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(data == 3);
}
