// What is stored into an atomic structure is read at once, also from plain memory; its members are initialised like any other's.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair { int left, right; } plain = {4, 4};
_Atomic struct pair shared;

void *work(void *unused) {
    shared = plain;
    return unused;
}

int main(void) {
    _Atomic struct pair local = {5, 5};
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    struct pair seen = shared, expected = {4, 4};
    assert(seen.left == seen.right);
    if (atomic_compare_exchange_strong(&shared, &expected, seen))
        assert(expected.left == 4);
    seen = local;
    assert(seen.right == 5);
    pthread_join(a, 0);
}
