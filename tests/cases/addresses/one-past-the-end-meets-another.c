// One past the end of an array may be where another begins, or not.
//@ property: assertion
//@ verdict: unknown
//@ reason: where objects lie in memory
#include <assert.h>

int a[2], b[2];

int main(void) {
    int *end = a + 2;
    assert(end != b);
}
