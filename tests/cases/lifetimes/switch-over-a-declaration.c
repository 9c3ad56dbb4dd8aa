// The variable of the switch's block has no initial value, but a life in each round.
//@ property: memory-safety, assertion
//@ verdict: safe
#include <assert.h>

static int look(int which) {
    switch (which) {
        int between, *pointer;
    case 0:
        return 10;
    case 1:
        pointer = &between;
        *pointer = 3;
        return between;
    default:
        pointer = &between;
        *pointer = which;
        break;
    }
    return 20;
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += look(i);
    assert(sum == 10 + 3 + 20 + 20);
}
