//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `run`, which has no body
// It may call what a function that it can name returns.
#include <assert.h>

static int own;
static void set(void) { own = 1; }
typedef void (*function)(void);
function get(void) { return set; }
void run(void);

int main(void) {
    run();
    assert(own == 0);
    return 0;
}
