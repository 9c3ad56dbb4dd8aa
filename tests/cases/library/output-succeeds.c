//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
    assert(printf("%d\n", 10) == 3);
    assert(fputs("x", stdout) >= 0 && !ferror(stdout));
}
