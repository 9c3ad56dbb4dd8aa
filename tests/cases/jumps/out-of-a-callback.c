//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf back;

static int compare(const void *left, const void *right) {
    if (*(const int *)left != *(const int *)right)
        longjmp(back, 3);
    return 0;
}

int main(void) {
    int numbers[2] = {2, 1};
    int result = setjmp(back);
    if (result != 0) {
        assert(result == 3);
        return 0;
    }
    qsort(numbers, 2, sizeof numbers[0], compare);
    assert(0);
}
