// A spin lock that is taken with a relaxed exchange excludes, but who takes it is not ordered behind who gave it back.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>

int taken, count;

void *add(void *unused) {
    while (__atomic_exchange_n(&taken, 1, __ATOMIC_RELAXED))
        ;
    count++; //~ BUG data-race
    __atomic_store_n(&taken, 0, __ATOMIC_RELEASE);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return count;
}
