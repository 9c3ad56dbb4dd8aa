//@ property: assertion
//@ verdict: safe
// `restrict` changes nothing: the pointers lead to one object, and what is stored is read.
#include <assert.h>

static int twice(int *restrict one, int *restrict other) {
    *one = 1;
    *other = 2;
    return *one;
}

int main(void) {
    int number = 0;
    assert(twice(&number, &number) == 2);
    return 0;
}
