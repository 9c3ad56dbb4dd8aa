//@ property: memory-safety
//@ verdict: bug
#include <stdio.h>

int main(void) {
    double half = 0.5;
    printf("%d\n", half); //~ BUG memory-safety
}
