//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    errno = 0;
    long number = strtol("99999999999999999999999", 0, 10);
    int reason = errno;
    printf("%ld\n", number);
    fprintf(stderr, "%d\n", reason);
    assert(reason == ERANGE && errno != 0);
    return 0;
}
