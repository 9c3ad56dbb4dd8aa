// So may those of functions that are called one after the other.
//@ property: assertion
//@ verdict: bug
//@ reason: whose address may be in use again
#include <assert.h>

int *kept;

void keep(void) {
    int a = 1;
    kept = &a;
}

void compare(void) {
    int b = 2;
    assert(kept != &b); //~ BUG assertion thread=t0
}

int main(void) {
    keep();
    compare();
}
