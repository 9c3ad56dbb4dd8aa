// It may not be there at all where its block is left.
//@ property: memory-safety, assertion
//@ verdict: safe
#include <assert.h>

int main(void) {
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        int *picked = i % 2 ? &(int){ i } : 0;
        sum += picked ? *picked : 0;
    }
    assert(sum == 4);
}
