//@ property: memory-safety, assertion
//@ verdict: safe
// An access at an address that is no multiple of the alignment reads and writes its bytes.
#include <assert.h>

static char bytes[8];

int main(void) {
    int *number = (int *)(bytes + 1);
    *number = 0x01020304;
    assert(bytes[1] == 4 && bytes[4] == 1);
}
