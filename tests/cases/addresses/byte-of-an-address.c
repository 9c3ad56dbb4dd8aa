//@ property: assertion
//@ verdict: unknown
//@ reason: where objects lie
#include <assert.h>

static int number;
static int *pointer = &number;
static unsigned char byte;

int main(void) {
    byte = ((unsigned char *)&pointer)[sizeof pointer - 1];
    assert(byte != 0x55);
}
