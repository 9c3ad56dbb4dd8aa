#include <stdio.h>

int main(void) {
    long long big = 0x123456789abcdef0ll;
    printf("%d %d %d %d\n", (int)big, (short)big, (signed char)big, (unsigned char)big);
    printf("%u %llu\n", (unsigned)-1, (unsigned long long)-1);
    printf("%lld %llu\n", (long long)(int)0x80000000, (unsigned long long)(unsigned)0x80000000);
    _Bool t = 256, f = 0; printf("%d %d %d\n", t, f, (_Bool)0.5);
    printf("%d\n", (char)300);
}
