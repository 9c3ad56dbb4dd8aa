//@ property: assertion
//@ verdict: bug
// The block was left: the jump enters it anew, and its variable holds any value, `volatile` or not.
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;
static int jumps;

int main(void) {
    {
        volatile int kept = 7;
        if (setjmp(back)) {
            assert(kept == 7); //~ BUG assertion
            return 0;
        }
    }
    if (jumps++ == 0)
        longjmp(back, 1);
    return 0;
}
