//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

atomic_uint bits;
_Atomic(int *) pointer;
int target;

int work(void *unused) {
    (void)unused;
    atomic_fetch_or(&bits, 2u);
    int *expected = 0;
    if (atomic_compare_exchange_strong(&pointer, &expected, &target))
        target++;
    else
        assert(expected == &target);
    return 0;
}

int main(void) {
    thrd_t a;
    thrd_create(&a, work, 0);
    atomic_fetch_xor(&bits, 4u);
    int *expected = 0;
    if (atomic_compare_exchange_strong(&pointer, &expected, &target))
        target++;
    thrd_join(a, 0);
    assert(bits == 6 && target == 1 && atomic_exchange(&pointer, 0) == &target);
}
