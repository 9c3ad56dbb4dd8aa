//@ property: assertion
//@ verdict: bug
// Each time the block is entered its variable is a new one, also where a `case` passes the declaration by (C11 6.2.4p6).
#include <assert.h>

int main(void) {
    for (int i = 0; i < 2; i++)
        switch (i) {
            int x;
        case 0:
            x = 7;
            break;
        case 1:
            assert(x == 7); //~ BUG assertion
        }
    return 0;
}
