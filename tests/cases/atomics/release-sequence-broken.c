// Another thread's relaxed store ends the release sequence: who acquires from it is not ordered behind the writer.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>

int data, flag;

void *writer(void *unused) {
    data = 1; //~ BUG data-race
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return unused;
}

void *relay(void *unused) {
    if (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 1)
        __atomic_store_n(&flag, 2, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t a, b;
    int seen = 0;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, relay, 0);
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 2)
        seen = data; //~ BUG data-race
    pthread_join(a, 0);
    pthread_join(b, 0);
    return seen;
}
