//@ property: assertion
//@ verdict: safe
// Nobody else can name it, and nobody is given its address.
#include <assert.h>

static int own;
void other(void);

int main(void) {
    own = 1;
    other();
    assert(own == 1);
    return 0;
}
