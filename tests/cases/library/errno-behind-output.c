//@ property: assertion
//@ verdict: bug
// Printing may change errno though it succeeds: whoever looks at it behind that has lost the reason.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    errno = 0;
    long number = strtol("99999999999999999999999", 0, 10);
    printf("%ld\n", number);
    assert(errno == ERANGE); //~ BUG assertion
    return 0;
}
