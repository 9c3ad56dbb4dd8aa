//@ property: assertion
//@ verdict: bug
// What becomes of a floating value that the integer type does not have is not defined, also where overflow wraps around.
#include <assert.h>

int main(void) {
    float large = 3e9f;
    int number = large;
    assert(number < 0); //~ BUG assertion
}
