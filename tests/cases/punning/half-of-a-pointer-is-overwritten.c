// What is left of a pointer is no number, though the other half is one now.
//@ property: assertion
//@ verdict: unknown
//@ reason: where objects lie in memory
#include <assert.h>

static int object;
static union { int *pointer; unsigned short parts[2]; } both;

int main(void) {
    both.pointer = &object;
    both.parts[1] = 0;
    assert(both.parts[0] % 4096 == 0);
}
