//@ property: assertion
//@ verdict: unknown
//@ reason: bit-field wider than `int`
// With gcc the sum has 40 bits and is zero; with clang it has 64.
#include <assert.h>

struct {
    unsigned long long address : 40;
} word;

int main(void) {
    word.address = -1;
    assert(word.address + 1 != 0);
    return 0;
}
