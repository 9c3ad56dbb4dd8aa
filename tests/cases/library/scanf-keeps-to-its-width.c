//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
    unsigned digit = 0;
    int small = 0, counts[10] = {0};
    if (scanf("%1u%2d", &digit, &small) == 2) {
        counts[digit] = 1;
        assert(small > -10 && small < 100);
    }
}
