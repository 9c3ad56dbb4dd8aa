//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `keep`, which has no body
// The first call may keep the pointer, and the second may use it.
#include <assert.h>

static int own;
void keep(int *place);
void use(void);

int main(void) {
    keep(&own);
    use();
    assert(own == 0);
    return 0;
}
