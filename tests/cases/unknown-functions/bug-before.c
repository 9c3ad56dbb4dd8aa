//@ property: assertion
//@ verdict: bug
// What goes wrong before the call does not rest on it.
#include <assert.h>

int shared;
void other(void);

int main(void) {
    assert(shared == 1); //~ BUG assertion
    other();
    return 0;
}
