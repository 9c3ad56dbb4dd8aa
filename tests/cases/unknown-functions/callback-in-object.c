//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// The function that it may call is in an object that it may know.
#include <assert.h>

static int own;
static void set(void) { own = 1; }
void (*hook)(void) = set;
void other(void);

int main(void) {
    other();
    assert(own == 0);
    return 0;
}
