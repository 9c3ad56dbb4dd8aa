//@ property: memory-safety, data-race
//@ verdict: safe
// What was given lives until no such function is called any more; what ends before was not given.
#include <stdlib.h>

void use(int *place);

int main(void) {
    int *other = malloc(sizeof *other);
    free(other);
    {
        int own = 1;
        int *place = &own;
        *place = 2;
    }
    int local = 0;
    use(&local);
    return 0;
}
