#include <stdio.h>

int main(void) {
    unsigned v[] = {1, 2, 3, 0x80000000u, 0xffffffffu, 0x00ff00ffu, 12345678};
    for (int i = 0; i < 7; i++)
        printf("%d %d %d %d %d %d %x\n", __builtin_clz(v[i]), __builtin_ctz(v[i]), __builtin_popcount(v[i]), __builtin_parity(v[i]), __builtin_ffs(v[i]), __builtin_clrsb((int)v[i]), __builtin_bswap32(v[i]));
    printf("%d %d %d %d\n", __builtin_clzll(1), __builtin_ctzll(1ull << 40), __builtin_popcountll(~0ull), __builtin_ffsll(0));
    printf("%x %llx\n", __builtin_bswap16(0x1234), __builtin_bswap64(0x0102030405060708ull));
    printf("%d %d\n", __builtin_clrsbll(-1), __builtin_ffs(0));
}
