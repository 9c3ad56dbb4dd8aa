//@ property: assertion
//@ verdict: unknown
//@ models: lp64
//@ reason: where objects lie
/* A pointer that has left its object by far may be null, also where it was stored in between. */
#include <assert.h>

int x;
char *far;

int main(void) {
    char *pointer = (char *)&x;
    pointer += -0x300000000000L;
    far = pointer;
    assert(far != 0);
}
