// Integer constants of every base and suffix.
int dec[] = {0, 1, 42, 2147483647};
int oct[] = {00, 017, 0777};
int hex[] = {0x0, 0xff, 0XABC, 0x7fffffff};
int bin[] = {0b0, 0b101, 0B11111111};
unsigned u[] = {1u, 42U, 0xffffffff, 4294967295u, 037777777777};
long l[] = {1l, 2L, 0x7fffffffL};
unsigned long ul[] = {1ul, 2LU, 3Ul, 4lU};
long long ll[] = {1ll, 2LL, 9223372036854775807, -9223372036854775807LL - 1};
unsigned long long ull[] = {1ull, 2LLU, 18446744073709551615ULL, 0xffffffffffffffff};
_Static_assert(sizeof 1 == 4 && sizeof 2147483648 == 8 && sizeof 0x80000000 == 4, "the type is the first that fits");
_Static_assert(0xffffffff > 0 && -2147483648 < 0, "");
int minimum = -2147483647 - 1;
long long odd = 0x8000000000000000 + 1;
