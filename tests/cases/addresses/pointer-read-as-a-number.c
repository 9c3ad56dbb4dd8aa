// The bits of a pointer are looked at without a cast.
//@ property: assertion
//@ verdict: unknown
//@ reason: where objects lie in memory
#include <assert.h>
#include <stdint.h>

int object;
union { int *pointer; uintptr_t number; } both;

int main(void) {
    both.pointer = &object;
    int bit = (both.number & 8) != 0;
    assert(bit == 0 || bit == 1);
}
