// The usual arithmetic conversions and integer promotions.
int mixed(char c, signed char sc, unsigned char uc, short s, unsigned short us, int i, unsigned u, long l, unsigned long ul, long long ll, unsigned long long ull, float f, double d, long double ld, _Bool b)
{
    int n = c + sc + uc * us - s;
    unsigned x = u + i;
    long y = l + i + b;
    unsigned long z = ul * l;
    unsigned long long w = ull + ll + u;
    n += c << l;
    n += +c - -sc + ~uc;
    f += d;
    d = f * i + ld / l;
    c += 300;
    us *= us;
    b = d;
    b = 4;
    n += u > i, ll < u, d == f;
    return n + x + y + z + w + (c ? u : l) + !d + (b && ld);
}
_Static_assert(sizeof('a' + (char)1) == sizeof(int), "");
_Static_assert(sizeof(1.0f * 2) == 4 && sizeof(1.0f * 2.0) == 8, "");
