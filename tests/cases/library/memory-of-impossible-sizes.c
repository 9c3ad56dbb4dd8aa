//@ property: assertion, memory-safety
//@ verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    errno = 0;
    assert(calloc(SIZE_MAX / 2, 3) == 0 && errno == ENOMEM);
    errno = 0;
    assert(reallocarray(0, SIZE_MAX, 2) == 0 && errno == ENOMEM);
    return 0;
}
