// Another thread's store comes between: what the writer stores afterwards is not in its sequence any more.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *other(void *unused) {
    atomic_store_explicit(&flag, 5, memory_order_relaxed);
    return unused;
}

void *reader(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        data++; //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, other, 0);
    pthread_create(&b, 0, reader, 0);
    data = 1; //~ BUG data-race
    atomic_store_explicit(&flag, 1, memory_order_release);
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 5)
        atomic_store_explicit(&flag, 2, memory_order_relaxed);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
