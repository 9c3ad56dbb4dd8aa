//@ property: memory-safety, assertion
//@ verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
    int number = 0;
    assert(sscanf("5 6", "%*d %d", &number) == 1 && number == 6);
}
