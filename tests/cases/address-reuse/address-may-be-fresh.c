// The address may come again, but need not.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *old = malloc(sizeof *old);
    free(old);
    int *fresh = malloc(sizeof *fresh);
    assert(old == fresh); //~ BUG assertion thread=t0
}
