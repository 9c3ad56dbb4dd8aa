//@ property: assertion
//@ verdict: safe
#include <assert.h>

void __VERIFIER_atomic_begin(void);
int shared;

void enter(void) { __VERIFIER_atomic_begin(); }

int main(void) {
    if (shared)
        enter();
    assert(shared == 0);
}
