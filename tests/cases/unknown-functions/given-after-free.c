//@ property: memory-safety
//@ verdict: unknown
//@ reason: depends on `use`, which has no body
// It is given what is not there any more.
#include <stdlib.h>

void use(int *place);

int main(void) {
    int *place = malloc(sizeof *place);
    *place = 0;
    free(place);
    use(place);
    return 0;
}
