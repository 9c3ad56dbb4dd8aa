// A larger object may lie there, too, if there is room behind.
//@ property: assertion
//@ verdict: unknown
//@ reason: whose address may be in use again
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *old = malloc(8);
    free(old);
    char *fresh = malloc(80);
    assert(old != fresh);
}
