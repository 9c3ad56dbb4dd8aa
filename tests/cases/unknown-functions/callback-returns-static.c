//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `run`, which has no body
// It may call the function that it is given, and write where that points.
#include <assert.h>

static int own;
static int *place(void) { return &own; }
void run(int *(*get)(void));

int main(void) {
    run(place);
    assert(own == 0);
    return 0;
}
