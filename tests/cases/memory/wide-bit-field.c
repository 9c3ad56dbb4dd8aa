//@ property: assertion
//@ verdict: safe
// What does not depend on the width of the computation.
#include <assert.h>

struct {
    unsigned long long address : 40;
    unsigned long long tag : 24;
} word;

int main(void) {
    word.address = -1;
    word.tag = 5;
    assert((unsigned long long)word.address + 1 == 1ull << 40);
    assert(word.address + 1ull == 1ull << 40);
    assert(word.address >> 32 == 0xff && (word.address & 0xf0) == 0xf0);
    assert(word.address > 1 && word.address != word.tag);
    word.address++;
    assert(word.address == 0 && word.tag + 1 == 6);
    word.address -= 2;
    assert(word.address == 0xfffffffffeull);
    return 0;
}
