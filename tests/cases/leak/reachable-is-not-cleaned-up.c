//@ property: cleanup
//@ verdict: bug
#include <stdlib.h>

int *kept;

int main(void) {
    kept = malloc(sizeof *kept); //~ BUG cleanup
    return 0;
}
