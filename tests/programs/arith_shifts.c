#include <stdio.h>

int main(void) {
    int n = -1000; unsigned u = 0x80000001u; long long l = -5; unsigned char c = 200; signed char sc = -100;
    for (int i = 0; i < 31; i += 5)
        printf("%d %u %u %lld %d %d\n", n >> i, u >> i, u << i, l >> i, c << (i % 8), sc >> (i % 8));
    printf("%d\n", (short)(1 << 15)); printf("%lld\n", 1ll << 62);
}
