// A jump within the block does not end its objects: each time it is the same one.
//@ property: memory-safety, assertion
//@ verdict: safe
#include <assert.h>

int main(void) {
    int rounds = 0, *kept = 0;
again:;
    int value = rounds;
    int array[3] = { 7 };
    if (kept) {
        assert(kept == &value && *kept == 1);
        assert(array[0] == 7 && array[1] == 0);
        return 0;
    }
    kept = &value;
    array[1] = 5;
    rounds++;
    goto again;
}
