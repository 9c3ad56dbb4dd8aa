//@ property: assertion
//@ verdict: safe
// Every operation rounds to its type, with 32 bits too, as with gcc's `-msse2 -mfpmath=sse`.
#include <assert.h>

volatile double one = 1, three = 3;

int main(void) {
    double third = one / three;
    volatile double kept = third;
    assert(kept == one / three);
    return 0;
}
