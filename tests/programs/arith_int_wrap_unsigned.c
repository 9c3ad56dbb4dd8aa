#include <stdio.h>

int main(void) {
    unsigned a = 4000000000u, b = 500000000u;
    printf("%u %u %u %u\n", a + b, b - a, a * b, a / b);
    unsigned char c = 250; c += 10; printf("%d\n", c);
    unsigned short s = 65535; s++; printf("%d\n", s);
    unsigned long long q = ~0ull; q += 2; printf("%llu\n", q);
    return 3;
}
