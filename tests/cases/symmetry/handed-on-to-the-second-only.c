//@ property: data-race
//@ verdict: bug
// The second learns what the first did, the third does not: it goes on as soon as the first is done.
#include <pthread.h>
#include <stdatomic.h>

int data;
_Atomic int tickets, served;

void *work(void *unused) {
    int ticket = atomic_fetch_add_explicit(&tickets, 1, memory_order_relaxed);
    if (ticket == 1)
        while (atomic_load_explicit(&served, memory_order_acquire) < 1)
            ;
    if (ticket == 2)
        while (atomic_load_explicit(&served, memory_order_relaxed) < 1)
            ;
    data++; //~ BUG data-race
    atomic_fetch_add_explicit(&served, 1, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
