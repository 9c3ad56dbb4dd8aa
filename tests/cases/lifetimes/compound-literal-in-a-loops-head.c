// The loop is the block of what its head makes: the object lives through all rounds.
//@ property: memory-safety, assertion
//@ verdict: safe
#include <assert.h>

static int *kept;

static int take(int *pointer) {
    if (kept) {
        assert(kept == pointer && *kept == 3);
        return 4;
    }
    kept = pointer;
    return *pointer;
}

int main(void) {
    int rounds = 0;
    do
        rounds++;
    while (take(&(int){ 3 }) == 3);
    assert(rounds == 2);
}
