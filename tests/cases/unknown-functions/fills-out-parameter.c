//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `run`, which has no body
// A function that it can name stores the address where it says.
#include <assert.h>

static int own;
void place(int **where) { *where = &own; }
void run(void);

int main(void) {
    run();
    assert(own == 0);
    return 0;
}
