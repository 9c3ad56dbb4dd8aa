//@ property: assertion, memory-safety
//@ verdict: safe
// That handlers run is nothing.
#include <assert.h>
#include <signal.h>
#include <stdlib.h>

static int own;
static void nothing(int number) { (void)number; }
static void end(void) {}
void other(void);

int main(void) {
    signal(SIGUSR1, nothing);
    atexit(end);
    own = 1;
    other();
    assert(own == 1);
    return 0;
}
