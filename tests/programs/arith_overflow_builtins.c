#include <stdio.h>
#define P(e, r) do { int o = (e); printf("%d %lld\n", o, (long long)(r)); } while (0)
int main(void) {
    int r; unsigned u; long long l; signed char c; unsigned long long q;
    P(__builtin_add_overflow(2147483647, 1, &r), r);
    P(__builtin_sub_overflow(-5, 7, &r), r);
    P(__builtin_sub_overflow(1, 2, &u), u);
    P(__builtin_mul_overflow(100, 2, &c), c);
    P(__builtin_mul_overflow(3000000000u, 4, &l), l);
    P(__builtin_mul_overflow(~0ull, ~0ull, &q), q);
    P(__builtin_add_overflow(-1, 1u, &q), q);
    P(__builtin_add_overflow_p(100, 100, (signed char)0), 0);
    P(__builtin_mul_overflow(-9223372036854775807ll, 2u, &l), l);
    P(__builtin_mul_overflow(-1, ~0ull, &l), l);
    P(__builtin_sadd_overflow(1, 2, &r), r);
}
