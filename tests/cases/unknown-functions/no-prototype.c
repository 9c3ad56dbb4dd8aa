//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `number`, which has no body
// It takes what it is given: here a pointer.
#include <assert.h>

int number();

int main(void) {
    int x = 0;
    number(1, &x);
    assert(x == 0);
    return 0;
}
