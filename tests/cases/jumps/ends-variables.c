//@ property: memory-safety
//@ verdict: bug
// The variables of functions that are left end, as by `return`.
#include <setjmp.h>

static jmp_buf back;
static int *kept;

static void leave(void) {
    int own = 5;
    kept = &own;
    longjmp(back, 1);
}

int main(void) {
    if (setjmp(back) == 0)
        leave();
    return *kept; //~ BUG memory-safety
}
