//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <setjmp.h>

static jmp_buf outer, inner;
static int seen;

static void fail(int how) {
    if (how == 1)
        longjmp(inner, 1);
    longjmp(outer, 2);
}

static void middle(void) {
    if (setjmp(inner) == 0)
        fail(1);
    seen++;
    fail(2);
}

int main(void) {
    int result = setjmp(outer);
    if (result == 0)
        middle();
    assert(result == 2 && seen == 1);
    return 0;
}
