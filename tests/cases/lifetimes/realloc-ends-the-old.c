//@ property: memory-safety
//@ verdict: bug
#include <stdlib.h>

int main(void) {
    int *old = malloc(sizeof *old);
    *old = 1;
    int *grown = realloc(old, 100 * sizeof *grown);
    grown[0] = 2;
    return *old; //~ BUG memory-safety
}
