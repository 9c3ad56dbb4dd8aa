//@ property: assertion
//@ verdict: safe
// Those that were not changed since, that are `volatile`, or that are assigned before they are read.
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;

static int work(int parameter) {
    int before = 4, later = 0;
    volatile int counted = 0;
    if (setjmp(back) == 0) {
        later = 1;
        counted = later;
        longjmp(back, 1);
    }
    later = 5;
    return parameter + before + counted + later;
}

int main(void) {
    assert(work(3) == 13);
    return 0;
}
