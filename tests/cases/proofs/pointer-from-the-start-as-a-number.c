//@ property: assertion
//@ verdict: unknown
//@ reason: where objects lie
/* What a pointer holds from the start is an address, of which nobody knows the number. */
#include <assert.h>

int x;
static __thread union {
    int *pointer;
    unsigned long number;
} both = {&x};

int main(void) {
    unsigned long number = both.number;
    assert((number & 0xff) == 0);
}
