//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;
static int cleaned;

static void clean(int *variable) { cleaned += *variable; }

static void leave(int jumps) {
    __attribute__((cleanup(clean))) int own = 3;
    if (jumps)
        longjmp(back, 1);
}

int main(void) {
    if (setjmp(back) == 0) {
        leave(0);
        leave(1);
    }
    assert(cleaned == 3);
    return 0;
}
