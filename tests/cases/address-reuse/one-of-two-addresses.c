// Each of two addresses may come again, not both at once.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    free(a);
    free(b);
    int *fresh = malloc(sizeof *fresh);
    assert(!(fresh == a && fresh == b));
    int *other = malloc(sizeof *other);
    assert(!(fresh == a && other == a));
}
