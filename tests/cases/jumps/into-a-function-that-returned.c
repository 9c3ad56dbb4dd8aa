//@ property: memory-safety
//@ verdict: bug
#include <setjmp.h>

static jmp_buf back;

static int set(void) { return setjmp(back); }

int main(void) {
    if (set() == 0)
        longjmp(back, 1); //~ BUG memory-safety
    return 0;
}
