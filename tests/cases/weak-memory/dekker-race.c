// Only one of the two comes through, unless neither sees the wish of the other; then the accesses race.
//@ property: data-race
//@ verdict: safe
//@ verdict-tso: bug
//@ verdict-pso: bug
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2];
int data;

void *work(void *number) {
    long me = (long)number;
    atomic_store_explicit(&wants[me], 1, memory_order_release);
    if (!atomic_load_explicit(&wants[1 - me], memory_order_acquire))
        data++; //~ BUG data-race
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    work((void *)0);
    pthread_join(a, 0);
}
