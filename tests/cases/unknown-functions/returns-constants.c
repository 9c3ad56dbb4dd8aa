//@ property: assertion, memory-safety
//@ verdict: safe
// What it gets by calling is constant, a number, or of nobody's interest.
#include <assert.h>

static const int limit = 3;
static int own, other;
const int *place(void) { return &limit; }
int number(void) { return 7; }
int *elsewhere(void) { return &other; }
void run(void);

int main(void) {
    own = 1;
    run();
    assert(own == 1 && limit == 3);
    return 0;
}
