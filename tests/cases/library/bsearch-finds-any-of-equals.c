//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <stdlib.h>

int compare(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }

int main(void) {
    int numbers[3] = {1, 1, 1}, key = 1;
    int *found = bsearch(&key, numbers, 3, sizeof *numbers, compare);
    assert(found >= numbers && found < numbers + 3);
    assert(found == numbers + 1); //~ BUG assertion
}
