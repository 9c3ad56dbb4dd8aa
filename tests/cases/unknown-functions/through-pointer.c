//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// It is called through a pointer.
#include <assert.h>

int shared;
void other(int value);
static void (*const call)(int) = other;

int main(void) {
    call(1);
    assert(shared == 0);
    return 0;
}
