#include <stdio.h>
#include <math.h>

int main(void) {
    volatile double x = 2.75, y = -3.5; volatile float f = 2.25f;
    printf("%g %g %g %g %g\n", floor(x), ceil(x), trunc(y), round(y), fabs(y));
    printf("%.17g %.9g %g\n", sqrt(x), sqrtf(f), fmod(x * 10, 4)); printf("%g %g %g\n", floorf(f), ceilf(f), fabsf(-f));
    printf("%.10g %.10g %.10g %.10g\n", sin(x), cos(x), exp(x), log(x)); printf("%.10g %.10g\n", pow(x, 3.0), atan2(y, x));
    printf("%d %d\n", isnan(x), isinf(x) != 0);
}
