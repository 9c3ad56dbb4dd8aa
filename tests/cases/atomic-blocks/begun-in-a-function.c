// A block that begins in one function and ends in another is refused by name, where it is reached.
//@ property: assertion
//@ verdict: unknown
//@ reason: atomic blocks that begin and end on different paths
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int shared;

static void enter(void) { __VERIFIER_atomic_begin(); }
static void leave(void) { __VERIFIER_atomic_end(); }

int main(void) {
    enter();
    shared = 1;
    leave();
    assert(shared == 1);
}
