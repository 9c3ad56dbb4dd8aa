// An atomic store and a plain load of the same flag race, whatever the order.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

int flag;

void *writer(void *unused) {
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    int seen = flag; //~ BUG data-race
    pthread_join(a, 0);
    return seen;
}
