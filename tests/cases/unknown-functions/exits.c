//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// It may end the process, and then the handler runs.
#include <assert.h>
#include <stdlib.h>

static int done;
static void check(void) { assert(done); }
void other(void);

int main(void) {
    atexit(check);
    other();
    done = 1;
    return 0;
}
