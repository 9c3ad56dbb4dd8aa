// A round of a loop that leaves everything as it was races with what is done only after the loop was left.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>

int busy = 1, done, data;

void *spinner(void *unused) {
    int kept = 0;
    while (__atomic_exchange_n(&busy, 1, __ATOMIC_RELAXED))
        kept = data; //~ BUG data-race
    __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
    return kept ? unused : 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, spinner, 0);
    __atomic_store_n(&busy, 0, __ATOMIC_RELAXED);
    if (__atomic_load_n(&done, __ATOMIC_RELAXED))
        data = 1; //~ BUG data-race
    return 0;
}
