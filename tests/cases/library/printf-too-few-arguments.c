//@ property: memory-safety
//@ verdict: bug
#include <stdio.h>

int main(void) {
    const char *format = "%d %d\n";
    printf(format, 1); //~ BUG memory-safety
}
