// They do not where no address is given out twice.
//@ property: assertion
//@ verdict: safe
//@ address-reuse: never
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
