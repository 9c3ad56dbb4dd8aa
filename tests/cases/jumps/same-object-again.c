//@ property: assertion, memory-safety
//@ verdict: safe
// A block that is not left keeps its objects, wherever they are declared.
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;
static int *first;

int main(void) {
    volatile int times = 0;
    setjmp(back);
    int own;
    if (times++ == 0) {
        own = 0;
        first = &own;
        longjmp(back, 1);
    }
    own = 8;
    assert(*first == 8);
    return 0;
}
