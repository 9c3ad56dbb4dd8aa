// Two addresses beside each other are looked at as one number.
//@ property: assertion
//@ verdict: unknown
//@ models: ilp32
//@ reason: where objects lie in memory
#include <assert.h>

static int first, second;
static union { int *pointers[2]; unsigned long long number; } both = {{&first, &second}};

int main(void) {
    int low = both.number < 0x8000000000000000ull;
    assert(low == 0 || low == 1);
}
