//@ property: assertion
//@ verdict: bug
// A number that `int` does not have: what atoi gives is not defined.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    assert(atoi("2147483647") == 2147483647 && atoi("-2147483648") == -2147483647 - 1);
    assert(atoi("99999999999") == 1215752191); //~ BUG assertion
    return 0;
}
