//@ property: assertion
//@ verdict: safe
// All executions end before the assertion: that is no proof of it.
#include <assert.h>
#include <stddef.h>

int *pointer = NULL;

int main(void) {
    int value = *pointer; //~ UNDEFINED memory-safety
    assert(0);
    return value;
}
