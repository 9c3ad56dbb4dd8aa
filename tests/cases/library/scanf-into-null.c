//@ property: memory-safety
//@ verdict: bug
#include <stdio.h>

int main(void) {
    char *place = 0;
    return scanf("%3s", place); //~ BUG memory-safety
}
