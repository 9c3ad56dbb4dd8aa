// <math.h>, <tgmath.h>, <complex.h>: type-generic macros.
#include <math.h>
#include <complex.h>
#include <tgmath.h>
double plain(double x) { return sqrt(x) + pow(x, 2) + HUGE_VAL + isnan(x) + isfinite(x) + fpclassify(x) + signbit(x); }
float single(float x) { return sin(x) + fabs(x); }
double complex z(double complex c) { return csqrt(c) + I * cimag(c) + exp(c); }
int infinite = isinf(1.0);
