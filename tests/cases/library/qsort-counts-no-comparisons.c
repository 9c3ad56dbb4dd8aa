//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <stdlib.h>

int calls;

int compare(const void *left, const void *right) {
    calls++;
    return *(const int *)left - *(const int *)right;
}

int main(void) {
    int numbers[2] = {1, 2};
    qsort(numbers, 2, sizeof *numbers, compare);
    assert(calls == 1); //~ BUG assertion
}
