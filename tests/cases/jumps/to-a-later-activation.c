//@ property: memory-safety
//@ verdict: bug
// The function is active again, but that is another activation.
#include <setjmp.h>

static jmp_buf back;

static void work(int again) {
    if (again)
        longjmp(back, 1); //~ BUG memory-safety
    setjmp(back);
}

int main(void) {
    work(0);
    work(1);
    return 0;
}
