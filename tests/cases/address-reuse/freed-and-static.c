// What lives as long as the program lies where nothing was freed.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <stdlib.h>

int object;

int main(void) {
    int *old = malloc(sizeof *old);
    free(old);
    assert(old != &object);
}
