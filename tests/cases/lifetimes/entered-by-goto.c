//@ property: assertion
//@ verdict: bug
// The jump enters the block again, and passes the declaration by.
#include <assert.h>

int again;

int main(void) {
    {
        int x = 7;
    inside:
        if (again) {
            assert(x == 7); //~ BUG assertion
            return 0;
        }
    }
    again = 1;
    goto inside;
}
