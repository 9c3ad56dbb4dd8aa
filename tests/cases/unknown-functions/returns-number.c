//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `run`, which has no body
// An address that is returned as a number is one, also through a function that is called.
#include <assert.h>
#include <stdint.h>

static int own;
static uintptr_t inner(void) { return (uintptr_t)&own; }
uintptr_t place(void) { return inner() ^ 1; }
void run(void);

int main(void) {
    run();
    assert(own == 0);
    return 0;
}
