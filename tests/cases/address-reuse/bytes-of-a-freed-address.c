// So are its bytes.
//@ property: assertion
//@ verdict: bug
//@ reason: where objects lie in memory
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    int *old = malloc(sizeof *old);
    free(old);
    int *fresh = malloc(sizeof *fresh);
    assert(memcmp(&old, &fresh, sizeof old) != 0); //~ BUG assertion thread=t0
}
