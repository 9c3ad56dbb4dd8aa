// atomic_init is no atomic access (C11, 7.17.2.2p2), though gcc makes a store of it.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdatomic.h>

atomic_int count;

void *work(void *unused) {
    (void)atomic_load(&count); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    atomic_init(&count, 5); //~ BUG data-race
    pthread_join(a, 0);
}
