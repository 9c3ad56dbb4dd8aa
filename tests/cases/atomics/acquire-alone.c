// An acquire needs a release to meet.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>

int data, ready;

void *writer(void *unused) {
    data = 1; //~ BUG data-race
    __atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t a;
    int seen = 0;
    pthread_create(&a, 0, writer, 0);
    if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
        seen = data; //~ BUG data-race
    pthread_join(a, 0);
    return seen;
}
