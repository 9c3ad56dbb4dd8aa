//@ property: leak
//@ verdict: bug
#include <stdlib.h>

int main(void) {
    int *array = malloc(2 * sizeof *array);
    array = realloc(array, 4 * sizeof *array);
    array = realloc(array, 8 * sizeof *array); //~ BUG leak
    array = malloc(1);
    free(array);
    return 0;
}
