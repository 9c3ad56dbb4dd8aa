//@ property: assertion
//@ verdict: safe
// No execution calls it.
#include <assert.h>

int shared;
void other(void);

int main(void) {
    if (shared)
        other();
    assert(shared == 0);
    return 0;
}
