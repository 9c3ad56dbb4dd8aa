//@ property: assertion
//@ verdict: safe
// Jumps within the block: the variable stays what it is.
#include <assert.h>

int main(void) {
    int rounds = 0;
    switch (rounds) {
        int x;
    case 0:
        x = 7;
    again:
        rounds++;
        if (rounds < 3)
            goto again;
        assert(x == 7);
        break;
    default:
        x = 0;
        goto again;
    }
    return 0;
}
