//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <stdio.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int length = printf("%d\n", __VERIFIER_nondet_bool() ? -100 : 99);
    assert(length == 3 || length == 5);
    assert(length < 4); //~ BUG assertion
}
