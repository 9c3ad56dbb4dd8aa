//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    assert(getenv("A") == getenv("A"));
    setenv("A", "b", 1);
    assert(strcmp(getenv("A"), "b") == 0);
    unsetenv("A");
    assert(!getenv("A"));
}
