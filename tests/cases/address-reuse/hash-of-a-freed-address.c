// Where in a table an object is kept depends on its address.
//@ property: assertion
//@ verdict: unknown
//@ reason: where objects lie in memory
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

unsigned hash(int *object) { return (uintptr_t)object / 16 % 64; }

int main(void) {
    int *old = malloc(sizeof *old);
    unsigned before = hash(old);
    free(old);
    int *fresh = malloc(sizeof *fresh);
    assert(hash(fresh) != before);
}
