// A relaxed flag is no race itself, but orders nothing: the data races. The two accesses are never possible at the same
// moment, so a search that looks for that does not find it; clocks do.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>

int data;
int ready;

void *writer(void *unused) {
    data = 42; //~ BUG data-race
    __atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t a;
    int seen = 0;
    pthread_create(&a, 0, writer, 0);
    if (__atomic_load_n(&ready, __ATOMIC_RELAXED))
        seen = data; //~ BUG data-race
    pthread_join(a, 0);
    return seen;
}
