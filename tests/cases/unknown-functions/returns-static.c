//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `run`, which has no body
// It may call a function by name that returns the address.
#include <assert.h>

static int own;
int *place(void) { return &own; }
void run(void);

int main(void) {
    run();
    assert(own == 0);
    return 0;
}
