//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `place`, which has no body
// It may return the address of anything that it can reach.
#include <assert.h>

int shared;
int *place(void);

int main(void) {
    *place() = 1;
    assert(shared == 0);
    return 0;
}
