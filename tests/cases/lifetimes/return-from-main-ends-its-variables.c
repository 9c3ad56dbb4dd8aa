// C11 5.1.2.2.3: they have ended when the functions that atexit registered run.
//@ property: memory-safety
//@ verdict: bug
#include <stdlib.h>

int *kept;

static void at_exit(void) {
    *kept = 1; //~ BUG memory-safety
}

int main(void) {
    int local = 0;
    kept = &local;
    atexit(at_exit);
    return local;
}
