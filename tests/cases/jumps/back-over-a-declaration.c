//@ property: assertion
//@ verdict: safe
// A jump back over a declaration, whose variable is used behind the jump.
#include <assert.h>

int main(void)
{
    int k = 0;
again:;
    int x = k;
    if (k++ < 2)
        goto again;
    assert(x == 2);
    return 0;
}
