//@ property: memory-safety
//@ verdict: bug
#include <stdio.h>

void quiet(void) {
    char buffer[4];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
}

int main(void) {
    quiet();
    printf("x"); //~ BUG memory-safety
}
