// Comparing with the end of the same array is no question of layout.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>

int array[3] = {1, 2, 3};

int main(void) {
    int sum = 0;
    for (int *at = array; at != array + 3; at++)
        sum += *at;
    for (int *at = array; at < array + 3; at++)
        sum += *at;
    assert(sum == 12 && array + 3 - array == 3);
}
