// Two atomic accesses are not one.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *work(void *unused) {
    atomic_store(&x, atomic_load(&x) + 1);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    atomic_store(&x, atomic_load(&x) + 1);
    pthread_join(a, 0);
    assert(x == 2); //~ BUG assertion thread=t0
}
