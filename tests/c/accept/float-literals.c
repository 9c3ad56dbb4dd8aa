// Floating constants of every shape and suffix.
double d[] = {1.0, .5, 5., 1e3, 1E-3, 1.5e+10, 0.0, 1e308, 4.9e-324, 0x1p3, 0x1.8p-1, 0x.8P1, 0xA.p0, 00.5, 09.5, 1e0};
float f[] = {1.0f, 1e10F, .5f, 0x1p3f, 3.40282347e+38F};
long double l[] = {1.0L, 1e4000L, 0x1p16383l};
_Float128 q[] = {1.0f128, 1.0q, 1.0Q};
__float80 w = 1.0w;
_Float64 f64 = 1.5f64;
_Float32 f32 = 1.5F32;
_Float32x f32x = 1.5f32x;
_Float64x f64x = 1.5f64x;
double from_integers[] = {1, 2u, 3L, -4};
_Static_assert(sizeof 1.0 == 8 && sizeof 1.0f == 4 && sizeof 1.0f128 == 16, "");
_Static_assert(1.5 * 2 == 3.0 && (int)2.99 == 2, "");
