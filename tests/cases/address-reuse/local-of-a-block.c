// Variables of blocks that follow each other may lie in one place.
//@ property: assertion
//@ verdict: unknown
//@ reason: whose address may be in use again
#include <assert.h>

int main(void) {
    int *first, *second;
    {
        int a = 1;
        first = &a;
    }
    {
        int b = 2;
        second = &b;
        assert(first != second);
    }
}
