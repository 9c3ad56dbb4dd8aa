//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <stdio.h>

int main(void) {
    int number = 3, count = scanf("%d", &number);
    assert(count != 1 || number == 3 || number != 3);
    assert(count >= 0); //~ BUG assertion
}
