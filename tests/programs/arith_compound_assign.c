#include <stdio.h>

int main(void) {
    int x = 10; unsigned char c = 200; short s = 1000; double d = 1.5; float f = 2.5f; long long q = 1;
    x += 5; x -= 3; x *= 4; x /= 5; x %= 7; x <<= 3; x >>= 1; x |= 0x55; x &= ~3; x ^= 0xff;
    printf("%d\n", x);
    c += 100; printf("%d\n", c); c *= 3; printf("%d\n", c); c >>= 2; printf("%d\n", c); c -= 1000; printf("%d\n", c);
    s *= 50; printf("%d\n", s); s /= -7; printf("%d\n", s);
    d += 1; d *= 3; d /= 7; printf("%.17g\n", d); x += 2.9; printf("%d\n", x); c = 7; c *= 1.5; printf("%d\n", c);
    f += d; printf("%.9g\n", f); q <<= 40; q |= x; printf("%lld\n", q); x = -7; x /= 2u; printf("%d\n", x);
}
