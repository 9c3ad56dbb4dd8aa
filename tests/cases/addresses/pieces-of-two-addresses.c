//@ property: assertion
//@ verdict: unknown
//@ reason: where objects lie
// The low byte of one address over that of another in the same array: what that is depends on where the array begins.
#include <assert.h>
#include <string.h>

static char text[1024];

int main(void)
{
    char *first = text, *second = text + 300;
    memcpy(&first, &second, 1);
    assert(first == text + 44);
    return 0;
}
