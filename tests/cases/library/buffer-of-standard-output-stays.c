//@ property: memory-safety
//@ verdict: safe
#include <stdio.h>

char buffer[4];

int main(void) {
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    printf("x");
}
