// A number that is longer than an address tells no more of it: runs in one layout prove nothing.
//@ property: assertion
//@ verdict: safe
//@ enumeration: unknown
//@ reason: where objects lie in memory
#include <assert.h>
#include <stdint.h>

static int object;
static unsigned long long number;

int main(void) {
    number = (uintptr_t)&object;
    int low = number < 0x80000000ull;
    assert(low == 0 || low == 1);
}
