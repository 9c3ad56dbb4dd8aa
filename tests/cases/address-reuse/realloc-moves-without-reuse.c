// It does not where no address is given out twice.
//@ property: assertion
//@ verdict: safe
//@ address-reuse: never
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *old = malloc(sizeof *old);
    *old = 1;
    int *grown = realloc(old, 2 * sizeof *old);
    assert(grown != old && *grown == 1);
}
