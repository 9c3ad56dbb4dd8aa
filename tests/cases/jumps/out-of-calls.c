//@ property: assertion, memory-safety, data-race, deadlock
//@ verdict: safe
// `longjmp` leaves any number of calls; `volatile` variables keep their values.
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;

static int deep(int n) {
    if (n == 0)
        longjmp(back, 7);
    return deep(n - 1) + 1;
}

int main(void) {
    volatile int tries = 0;
    int result = setjmp(back);
    tries++;
    if (tries < 3)
        tries += deep(tries) + 100;
    assert(tries == 3);
    assert(result == 7);
    return 0;
}
