// What `realloc` gives may lie where the object was.
//@ property: assertion
//@ verdict: unknown
//@ reason: whose address may be in use again
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *old = malloc(sizeof *old);
    *old = 1;
    int *grown = realloc(old, 2 * sizeof *old);
    assert(grown != old);
}
