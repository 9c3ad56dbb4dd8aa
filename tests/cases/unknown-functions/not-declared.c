//@ property: assertion
//@ verdict: unknown
//@ reason: `#include <assert.h>` is missing
// A macro that is not there is no function of the program.
int x;

int main(void) {
    assert(x == 1);
    return 0;
}
