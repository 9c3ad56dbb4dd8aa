//@ lp64 only
/* What IEEE 754 defines, and a little of what it does not. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

static void show(double x) { printf(" %a", x); }

int main(void) {
    static const double numbers[] = {0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.5, -2.5, 3.49999, 1e15 + 0.5, -1e15 - 0.5,
                                     4503599627370497.5, 1e300, -1e300, 5e-324, -5e-324, 2.2250738585072014e-308, 1e-310,
                                     INFINITY, -INFINITY, 123456789.987654321};
    int count = sizeof numbers / sizeof *numbers;
    for (int i = 0; i < count; i++) {
        double x = numbers[i], whole;
        int exponent = 0;
        show(x);
        printf(":");
        show(floor(x)), show(ceil(x)), show(trunc(x)), show(round(x)), show(rint(x)), show(nearbyint(x)), show(roundeven(x));
        show(modf(x, &whole)), show(whole);
        show(frexp(x, &exponent));
        printf(" %d", exponent);
        show(logb(x)), show(ldexp(x, 3)), show(ldexp(x, -1070)), show(scalbn(x, 2000)), show(scalbln(x, -3));
        printf(" %d %d %d %d", ilogb(x), !!isinf(x), !!isnan(x), !!signbit(x));
        printf(" %d", fpclassify(x));
        show(nextafter(x, 2)), show(nextafter(x, -INFINITY)), show(fabs(x));
        if (fabs(x) < 1e17)
            printf(" %ld %ld %lld %lld", lround(x), lrint(x), llround(x), llrint(x));
        float f = (float)x, part;
        printf(" f");
        show(floorf(f)), show(ceilf(f)), show(truncf(f)), show(roundf(f)), show(rintf(f)), show(modff(f, &part));
        show(part), show(frexpf(f, &exponent)), show(nextafterf(f, 2)), show(ldexpf(f, -140));
        printf(" %d\n", exponent);
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double x = numbers[i], y = numbers[j];
            int quotient = 0;
            printf("%d %d:", i, j);
            if (x != 0 || y != 0)
                show(fmin(x, y)), show(fmax(x, y));
            show(fdim(x, y)), show(copysign(x, y));
            if (y != 0 && !isinf(x)) {
                show(fmod(x, y)), show(remainder(x, y)), show(remquo(x, y, &quotient));
                printf(" %d", quotient & 7);
            }
            printf("\n");
        }
    printf("%d %d %d\n", isnan(fmin(NAN, NAN)), (int)fmin(NAN, 1), (int)fmax(2, NAN));
    printf("%d %d\n", isnan(remainder(1, 0)), isnan(fmod(INFINITY, 1)));
    show(fma(0.1, 10, -1)), show(fmaf(0.1f, 10, -1)), show(sqrt(2)), show(sqrtf(2)), show(nextup(1)), show(nextdown(1));
    puts("");
    printf("%.6f %.6f %.6f %.6f %.6f\n", sin(1), cosf(1), tan(0.5), asin(0.5), acos(0.5));
    printf("%.6f %.6f %.6f %.6f\n", sinh(1), cosh(1), tanh(0.5), atan2(1, -1));
    printf("%.6f %.6f %.6f %.6f %.6f\n", exp(1), exp2(0.5), expm1(1e-5), log(10), log1p(1e-5));
    printf("%.6f %.6f %.6f %.6f %.6f\n", log2(10), log10(1000), pow(2, 0.5), cbrt(27), hypot(3, 4));
    printf("%.6f %.6f %.6f\n", asinh(1), acosh(2), atanh(0.5));
    printf("%d %d\n", isnan(sqrt(-1)), isinf(log(0)));
    return 0;
}
