//@ property: memory-safety, assertion
//@ verdict: safe
// An index that leaves a row or a member, and stays in the object: not looked for. One that leaves the object would be.
#include <assert.h>

static int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
static struct { int low[2]; int high; } pair = {{7, 8}, 9};

int main(void)
{
    volatile int three = 3, two = 2;
    assert(matrix[0][three] == 4 && pair.low[two] == 9);
    return 0;
}
