//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char name[] = "/tmp/abcdef";
    assert(mkstemp(name) == -1);
}
