//@ property: memory-safety
//@ verdict: bug
// So do those of blocks of the same function.
#include <setjmp.h>

static jmp_buf back;

int main(void) {
    int *volatile kept = 0;
    if (setjmp(back) == 0) {
        int own = 5;
        kept = &own;
        longjmp(back, 1);
    }
    return *kept; //~ BUG memory-safety
}
