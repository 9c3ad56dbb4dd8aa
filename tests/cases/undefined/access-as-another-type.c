//@ property: assertion
//@ verdict: safe
// Bytes are what was stored last, whatever type they are read as: as with gcc's `-fno-strict-aliasing`.
#include <assert.h>

static int number = 1;

static int change(int *as_integer, float *as_float) {
    *as_integer = 1;
    *as_float = 0;
    return *as_integer;
}

int main(void) {
    assert(change(&number, (float *)&number) == 0);
    return 0;
}
