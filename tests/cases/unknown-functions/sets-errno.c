//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// Any function may set it.
#include <assert.h>
#include <errno.h>

void other(void);

int main(void) {
    errno = 0;
    other();
    assert(errno == 0);
    return 0;
}
