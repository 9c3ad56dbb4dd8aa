//@ property: assertion
//@ verdict: bug
// Compilers differ in how many zero bits lead in zero.
#include <assert.h>

int main(void) {
    volatile unsigned nothing = 0, one = 1;
    assert(__builtin_clz(one) == 31 && __builtin_ctz(one) == 0);
    assert(__builtin_clz(nothing) == 32); //~ BUG assertion
}
