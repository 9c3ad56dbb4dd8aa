//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// Likewise by quick_exit, which the program itself never calls.
#include <assert.h>
#include <stdlib.h>

static void never(void) { assert(0); }
void other(void);

int main(void) {
    at_quick_exit(never);
    other();
    return 0;
}
