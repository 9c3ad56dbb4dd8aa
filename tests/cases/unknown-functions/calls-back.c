//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `later`, which has no body
// It may call the function that it is given.
#include <assert.h>

static int own;
static void set(void) { own = 1; }
void later(void (*call)(void));

int main(void) {
    later(set);
    assert(own == 0);
    return 0;
}
