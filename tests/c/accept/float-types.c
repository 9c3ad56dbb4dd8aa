// model: lp64
// The floating types and their conversions.
_Float32 a; _Float64 b; _Float128 c; _Float32x d; _Float64x e; __float128 f; __float80 g; long double h; _Float16 i;
typedef __float128 quad;
quad convert(float x, double y, long double z, quad q)
{
    a = x; b = a + y; c = b * z; d = x - 1; e = z; f = c + q; g = z; h = g; i = 1;
    int n = f > 3;
    return q / n + a * b;
}
double promote(_Float32 x, float y) { return x + y; }
int variadic(int, ...);
int promoted(float x) { return variadic(1, x, (char)1, (short)2); }
