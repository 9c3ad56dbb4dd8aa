// Arithmetic at the edges.
int a = -2147483647 - 1, b = 2147483647, c = ~0, d = 0x80000000, e = 4294967295u;
long long f = -9223372036854775807LL - 1, g = 9223372036854775807LL; unsigned long long h = -1, i = ~0ULL;
unsigned char j = 256, k = -1; signed char l = 128; short m = 65535; _Bool n = 256;
_Static_assert((unsigned char)-1 == 255 && (signed char)128 == -128 && (_Bool)256 == 1, "");
_Static_assert(2147483647 + 1LL == 2147483648, "");
_Static_assert(1u - 2u == 4294967295u && 0u - 1 > 0, "");
_Static_assert((-7) % 3 == -1 && -8 >> 1 == -4, "");
_Static_assert(1ULL << 63 == 9223372036854775808ULL, "");
