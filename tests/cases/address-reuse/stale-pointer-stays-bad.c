// That the address is in use again makes the old pointer no good one.
//@ property: memory-safety
//@ verdict: bug
#include <stdlib.h>

int main(void) {
    int *old = malloc(sizeof *old);
    free(old);
    int *fresh = malloc(sizeof *fresh);
    if (old == fresh)
        *old = 1; //~ BUG memory-safety thread=t0
    free(fresh);
}
