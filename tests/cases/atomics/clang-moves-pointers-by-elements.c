//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>

static int numbers[4];
static _Atomic(int *) place = numbers;

int main(void) {
    assert(__c11_atomic_fetch_add(&place, 3, __ATOMIC_SEQ_CST) == numbers);
    assert(__c11_atomic_fetch_sub(&place, 1, __ATOMIC_SEQ_CST) == numbers + 3);
    *__c11_atomic_load(&place, __ATOMIC_SEQ_CST) = 1;
    assert(numbers[2] == 1);
    assert(__c11_atomic_is_lock_free(sizeof(int)));
    return 0;
}
