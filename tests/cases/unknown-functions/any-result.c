//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `number`, which has no body
// Whether it returns 3 is not known.
#include <assert.h>

int number(void);

int main(void) {
    assert(number() != 3);
    return 0;
}
