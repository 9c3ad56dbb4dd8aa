//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// It may know the name of a function of the program.
#include <assert.h>

static int own;
void set(void) { own = 1; }
void other(void);

int main(void) {
    other();
    assert(own == 0);
    return 0;
}
