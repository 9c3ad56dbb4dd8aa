//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <stdatomic.h>

atomic_int flag;

int main(void) {
    int expected = 0;
    assert(atomic_compare_exchange_strong(&flag, &expected, 1));
    assert(__atomic_compare_exchange_n((int *)&flag, &expected, 2, 0, 5, 5) == 0 && expected == 1);
    assert(__sync_bool_compare_and_swap((int *)&flag, 1, 3));
}
