// The declaration is passed by: the object is there nevertheless, a new one each time the block is entered.
//@ property: memory-safety, assertion
//@ verdict: safe
#include <assert.h>

int main(void) {
    for (int i = 0; i < 3; i++) {
        int *inside;
        goto into;
        {
            int passed;
        into:
            inside = &passed;
            *inside = i;
            assert(passed == i);
        }
    }
}
