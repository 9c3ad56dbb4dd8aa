//@ property: assertion
//@ verdict: unknown
//@ reason: setjmp
#include <setjmp.h>

jmp_buf back;

int main(void) {
    if (setjmp(back) == 0)
        longjmp(back, 1);
    return 0;
}
