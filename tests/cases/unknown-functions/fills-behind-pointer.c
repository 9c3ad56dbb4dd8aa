//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `fill`, which has no body
// It may follow pointers in what it is given.
#include <assert.h>

struct box { int *inside; };
void fill(struct box *box);

int main(void) {
    int x = 0;
    struct box box = {&x};
    fill(&box);
    assert(x == 0);
    return 0;
}
