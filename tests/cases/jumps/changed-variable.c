//@ property: assertion
//@ verdict: bug
// C11 7.13.2.1: a variable that is not `volatile` and was changed since is indeterminate.
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;

int main(void) {
    int state = 1;
    if (setjmp(back) == 0) {
        state = 2;
        longjmp(back, 1);
    }
    assert(state == 2); //~ BUG assertion
    return 0;
}
