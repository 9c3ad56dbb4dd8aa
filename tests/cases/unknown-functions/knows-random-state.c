//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// It may take a random number, too.
#include <assert.h>
#include <stdlib.h>

void other(void);

int main(void) {
    srand48(1);
    long first = lrand48();
    srand48(1);
    other();
    assert(lrand48() == first);
    return 0;
}
