// A number that was made of the address is that of the new object, too.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *old = malloc(sizeof *old);
    uintptr_t number = (uintptr_t)old;
    free(old);
    int *fresh = malloc(sizeof *fresh);
    assert(number != (uintptr_t)fresh); //~ BUG assertion thread=t0
}
