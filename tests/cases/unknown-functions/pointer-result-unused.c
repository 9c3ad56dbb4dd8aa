//@ property: assertion, memory-safety
//@ verdict: safe
// Nobody looks at what it returns.
#include <assert.h>

static int own;
char *name(void);

int main(void) {
    name();
    assert(own == 0);
    return 0;
}
