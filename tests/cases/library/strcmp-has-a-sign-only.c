//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <string.h>

int main(void) {
    assert(strcmp("a", "c") < 0 && memcmp("c", "a", 1) > 0 && !strcmp("a", "a"));
    int order = strcmp("a", "c");
    assert(order == -2); //~ BUG assertion
}
