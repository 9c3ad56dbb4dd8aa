//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `fill`, which has no body
// It may write what it is given a pointer to.
#include <assert.h>

void fill(int *place);

int main(void) {
    int x = 0;
    fill(&x);
    assert(x == 42);
    return 0;
}
