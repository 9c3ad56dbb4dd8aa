//@ property: assertion
//@ verdict: bug
//@ finds: exhaustive
#include <assert.h>
#include <stdio.h>

int main(void) {
    int number = 3;
    if (scanf("%d", &number) == 1)
        assert(number != 0); //~ BUG assertion
}
