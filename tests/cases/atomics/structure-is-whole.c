// An atomic structure is read and written at once.
//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair { int left, right; };
_Atomic struct pair shared;

void *work(void *unused) {
    struct pair both = {1, 1};
    shared = both;
    both.left = both.right = 2;
    atomic_store(&shared, both);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    struct pair seen = shared;
    assert(seen.left == seen.right);
    seen = atomic_load(&shared);
    assert(seen.left == seen.right);
    pthread_join(a, 0);
}
