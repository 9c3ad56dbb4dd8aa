#include <stdio.h>

int main(void) { int a = 3, b = -4, c = 7, d = 2; unsigned u = 9; printf("%d\n", a + b * c - d << 1 & 0xff ^ a | b & ~c); printf("%u\n", (u << d) + (u >> 1) - u * u % 7 + (a > b ? u : d)); printf("%d\n", !a == b < c != (d && u) + ((a, b) > c)); printf("%d\n", a++ + ++b * (c-- - --d)); printf("%d %d %d %d\n", a, b, c, d); long long q = 1ll * 100000 * 100000 % 97 - (long long)u * -3; printf("%lld\n", q); printf("%d\n", (int)((a ^ b) & (c | d) & ~(int)u) % 5); printf("%d\n", - -a - - -b); printf("%d\n", sizeof(int) > -1); }
