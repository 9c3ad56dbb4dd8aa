//@ property: assertion
//@ verdict: safe
// What is constant stays so, also when its address is given away.
#include <assert.h>

const int limit = 3;
void look(const int *place);

int main(void) {
    look(&limit);
    assert(limit == 3);
    return 0;
}
