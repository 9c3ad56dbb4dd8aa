//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;

int main(void) {
    switch (_setjmp(back)) {
    case 0:
        _longjmp(back, 0);
    case 1:
        return 0;
    default:
        assert(0);
    }
}
