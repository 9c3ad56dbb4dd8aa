// The overflow family: generic, typed, and the predicates.
int checked(int a, int b, long *out, unsigned char *small)
{
    int sum;
    unsigned u;
    long long ll;
    int bad = __builtin_add_overflow(a, b, &sum);
    bad |= __builtin_sub_overflow(a, 3L, out);
    bad |= __builtin_mul_overflow(a, b, small);
    bad |= __builtin_sadd_overflow(a, b, &sum) | __builtin_umul_overflow(3u, 4u, &u) | __builtin_ssubll_overflow(1, 2, &ll);
    bad |= __builtin_add_overflow_p(a, b, (short)0);
    return bad + sum;
}
_Static_assert(__builtin_mul_overflow_p(1 << 20, 1 << 20, 0), "");
