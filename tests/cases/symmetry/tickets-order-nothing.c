//@ property: data-race
//@ verdict: bug
// Tickets are drawn in relaxed order: they order nothing.
// Only the first and the third look at the data.
#include <pthread.h>
#include <stdatomic.h>

int data;
_Atomic int tickets;

void *work(void *unused) {
    int ticket;
    if (atomic_load_explicit(&tickets, memory_order_relaxed) == 0)
        data = 1; //~ BUG data-race
    ticket = atomic_fetch_add_explicit(&tickets, 1, memory_order_relaxed);
    if (ticket == 2)
        return data ? 0 : unused; //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++)
        pthread_create(&t, 0, work, 0);
    pthread_exit(0);
}
