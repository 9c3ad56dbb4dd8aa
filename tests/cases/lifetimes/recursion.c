// Each activation has a variable of its own.
//@ property: memory-safety, assertion
//@ verdict: safe
#include <assert.h>

static int depth(int *outer, int left) {
    int own = *outer + 1;
    if (left == 0)
        return own;
    int deeper = depth(&own, left - 1);
    assert(own == *outer + 1);
    return deeper;
}

int main(void) {
    int start = 0;
    assert(depth(&start, 3) == 4);
}
