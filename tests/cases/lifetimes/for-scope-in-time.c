// The loop's variable lives through all rounds.
//@ property: memory-safety, assertion
//@ verdict: safe
#include <assert.h>

int main(void) {
    int *kept = 0;
    for (int i = 0; i < 3; i++) {
        if (kept)
            assert(*kept == i);
        kept = &i;
    }
}
