// What the alignment says of an address holds wherever the object lies.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

char before;
int number;
struct { char c; long l; } pair;

int main(void) {
    assert(((uintptr_t)&number & 3) == 0);
    assert((uintptr_t)&number % 4 == 0);
    assert((uintptr_t)&number != 0 && &number != 0);
    assert((uintptr_t)&pair.l % sizeof(int) == 0);
    assert((uintptr_t)malloc(1) % 8 == 0);
    assert((uintptr_t)(&number + 1) - (uintptr_t)&number == sizeof number);
}
