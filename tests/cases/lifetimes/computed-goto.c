//@ property: memory-safety, assertion
//@ verdict: bug
#include <assert.h>

int main(void) {
    static void *targets[] = { &&again, &&out };
    int *kept = 0, round = 0;
again: {
    int inner = round;
    if (kept)
        assert(inner == 1);
    kept = &inner;
    round++;
    goto *targets[round > 1];
}
out:
    return *kept; //~ BUG memory-safety
}
