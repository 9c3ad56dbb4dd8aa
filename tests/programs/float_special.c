#include <stdio.h>

int main(void) {
    double zero = 0, inf = 1 / zero, nan = zero / zero; nan = __builtin_fabs(nan);
    printf("%f %f %f %f\n", inf, -inf, nan, -zero);
    printf("%d %d %d %d %d %d\n", nan == nan, nan != nan, nan < 1, nan >= 1, !nan, nan ? 1 : 0);
    printf("%d %d %d\n", inf > 1e308, -inf < -1e308, zero == -zero);
    printf("%d %d %d %d\n", __builtin_isnan(nan), __builtin_isinf(inf), __builtin_isinf_sign(-inf), __builtin_isfinite(1.0));
    printf("%d %d\n", __builtin_signbit(-zero) != 0, __builtin_signbit(1.0));
    printf("%d %d %d\n", __builtin_isless(1.0, nan), __builtin_isunordered(1.0, nan), __builtin_islessgreater(1.0, 2.0));
    for (double d = 5e-324; d < 1e-320; d *= 8) printf("%g ", d);
    for (int i = 0; i < 5; i++) { double v[] = {nan, inf, 1, 1e-310, -0.0}; printf("%d", __builtin_fpclassify(1, 2, 3, 4, 5, v[i])); }
    printf("\n");
}
