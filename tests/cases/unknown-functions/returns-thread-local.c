//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `run`, which has no body
// The address of a thread-local object is returned.
#include <assert.h>

static _Thread_local int own;
int *place(void) { return &own; }
void run(void);

int main(void) {
    run();
    assert(own == 0);
    return 0;
}
