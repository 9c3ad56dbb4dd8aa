// The reader forgets that an odd number means a write under way.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint sequence;
atomic_int left, right;

void *writer(void *unused) {
    atomic_fetch_add(&sequence, 1);
    atomic_store(&left, 1);
    atomic_store(&right, 1);
    atomic_fetch_add(&sequence, 1);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    unsigned before = atomic_load(&sequence);
    int x = atomic_load(&left), y = atomic_load(&right);
    unsigned after = atomic_load(&sequence);
    if (before == after)
        assert(x == y); //~ BUG assertion thread=t0
    pthread_join(a, 0);
}
