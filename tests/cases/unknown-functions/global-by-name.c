//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// It is given nothing, and may know the name.
#include <assert.h>

int shared;
void other(void);

int main(void) {
    shared = 1;
    other();
    assert(shared == 1);
    return 0;
}
