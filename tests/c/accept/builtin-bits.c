// The bit-counting and byte-swapping families.
int count(unsigned x, unsigned long y, unsigned long long z)
{
    int n = __builtin_clz(x) + __builtin_clzl(y) + __builtin_clzll(z);
    n += __builtin_ctz(x) + __builtin_ctzl(y) + __builtin_ctzll(z);
    n += __builtin_popcount(x) + __builtin_popcountl(y) + __builtin_popcountll(z);
    n += __builtin_parity(x) + __builtin_ffs((int)x) + __builtin_ffsll((long long)z) + __builtin_clrsb((int)x);
    return n + __builtin_bswap16(3) + __builtin_bswap32(x) + (int)__builtin_bswap64(z);
}
enum { FOLDED = __builtin_popcount(255) + __builtin_ctz(8) };
_Static_assert(FOLDED == 11, "folded");
int array[__builtin_clz(1) + 1];
