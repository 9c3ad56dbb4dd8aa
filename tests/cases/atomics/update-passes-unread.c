// A read-modify-write that only releases passes the writer's message on, but does not read it itself.
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

int main(void) {
    pthread_t a;
    int seen = 0;
    pthread_create(&a, 0, writer, 0);
    if (__atomic_fetch_add(&flag, 1, __ATOMIC_RELEASE) == 1)
        seen = data; //~ BUG data-race
    pthread_join(a, 0);
    return seen;
}
