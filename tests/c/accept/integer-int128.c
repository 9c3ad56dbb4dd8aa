// model: lp64
// __int128.
__int128 a = 1;
unsigned __int128 b = (unsigned __int128)1 << 100;
__int128 unsigned c = -1;
typedef __int128 i128;
_Static_assert(sizeof(__int128) == 16 && _Alignof(__int128) == 16, "");
_Static_assert(((__int128)1 << 64) > 0xffffffffffffffff, "");
i128 multiply(long long x, long long y) { return (i128)x * y; }
int high(unsigned __int128 x) { return (int)(x >> 64) + (x == b) + (x > c); }
struct s { char c; __int128 i; unsigned __int128 f : 100; };
double to_double(i128 x) { return x; }
