//@ property: assertion, memory-safety
//@ verdict: bug
// The memory error is asked for and told, so nothing else need be said about the assertion that is never reached.
#include <assert.h>

int array[4];

int main(void) {
    volatile int index = 4;
    array[index] = 1; //~ BUG memory-safety
    assert(0);
}
