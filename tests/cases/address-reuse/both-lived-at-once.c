// Two objects that lived at one time never had the same address.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    free(first);
    assert(first != second);
    free(second);
    assert(first != second);
}
