//@ property: memory-safety
//@ verdict: bug
#include <stdio.h>

int main(void) {
    int *place = 0;
    return sscanf("5", "%d", place); //~ BUG memory-safety
}
