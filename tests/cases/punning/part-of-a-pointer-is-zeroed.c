//@ property: assertion, memory-safety
//@ verdict: unknown
//@ reason: where objects lie
// Zeros over a part of a pointer: where that leads, the layout says.
#include <assert.h>
#include <string.h>

static int number = 7;

int main(void)
{
    int *pointer = &number;
    memset(&pointer, 0, 2);
    assert(*pointer == 7);
    return 0;
}
