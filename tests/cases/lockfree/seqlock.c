// A reader that saw the same even number before and after saw both halves of one write.
//@ property: assertion, data-race
//@ verdict: safe
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
    if (before == after && before % 2 == 0)
        assert(x == y);
    pthread_join(a, 0);
}
