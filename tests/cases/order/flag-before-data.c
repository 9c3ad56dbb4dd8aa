//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready, data;

void *writer(void *unused) {
    atomic_store(&ready, 1);
    atomic_store(&data, 9);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    while (!atomic_load(&ready))
        ;
    assert(data == 9); //~ BUG assertion thread=t0
    pthread_join(a, 0);
}
