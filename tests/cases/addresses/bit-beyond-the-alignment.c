// Whichever way a bit of an address is that the alignment leaves open, the assertions hold. A run knows one way only.
//@ property: assertion
//@ verdict: safe
//@ enumeration: unknown
//@ reason: where objects lie in memory
#include <assert.h>
#include <stdint.h>

int a;

int main(void)
{
    uintptr_t number = (uintptr_t)&a;
    int even = 2;
    if (number & 16)
        even = 4;
    assert(even % 2 == 0);
}
