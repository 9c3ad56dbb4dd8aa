//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// It may raise the signal.
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t seen;
static void note(int number) { seen = number; }
void other(void);

int main(void) {
    signal(SIGUSR1, note);
    other();
    assert(seen == 0);
    return 0;
}
