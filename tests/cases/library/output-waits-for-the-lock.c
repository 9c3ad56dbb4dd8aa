// What prints takes the lock of the stream as if by flockfile: what was done under the lock comes before.
//@ property: data-race, deadlock
//@ verdict: safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

int x;
atomic_int done;

void *work(void *unused) {
    flockfile(stdout);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    x = 1;
    funlockfile(stdout);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    if (atomic_load_explicit(&done, memory_order_relaxed)) {
        printf("a");
        x = 2;
    }
    pthread_join(a, 0);
}
