//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready;
int data;

void *writer(void *unused) {
    data = 9;
    atomic_store(&ready, 1);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    while (!atomic_load(&ready))
        ;
    assert(data == 9);
    pthread_join(a, 0);
}
