//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <stdio.h>

int main(void) {
    int number = 0;
    if (scanf("%d", &number) == 1)
        assert(!feof(stdin)); //~ BUG assertion
}
