//@ property: memory-safety
//@ verdict: bug
#include <setjmp.h>

int main(void) {
    jmp_buf back;
    longjmp(back, 1); //~ BUG memory-safety
}
