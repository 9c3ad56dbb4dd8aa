// The pool counts jobs as done when they are taken, not when they are finished.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int pending = 1, result;

void *worker(void *unused) {
    if (atomic_fetch_sub(&pending, 1) == 1)
        atomic_store(&result, 42);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    while (atomic_load(&pending))
        ;
    assert(result == 42); //~ BUG assertion thread=t0
    pthread_join(a, 0);
}
