#include <stdio.h>

int main(void) {
    unsigned char a = 255, b = 1; signed char c = -1; unsigned u = 1; short s = -2; unsigned short us = 65535;
    printf("%d %d\n", a + b, (unsigned char)(a + b));
    printf("%d %d %d\n", c < u, c < a, s < us);
    printf("%d %d\n", -1 > 0u, -1 > (unsigned short)0);
    printf("%d %d\n", ~a, ~(unsigned char)0 >> 4);
    printf("%d\n", us * 1);
    printf("%d\n", 'a' + (char)200);
}
