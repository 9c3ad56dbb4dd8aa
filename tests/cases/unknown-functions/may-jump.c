//@ property: assertion
//@ verdict: unknown
//@ reason: unknown_function
// Whoever can name the buffer can jump.
#include <assert.h>
#include <setjmp.h>

jmp_buf back;
static int result;
void unknown_function(void);

int main(void) {
    result = setjmp(back);
    if (result == 0)
        unknown_function();
    assert(result == 0);
    return 0;
}
