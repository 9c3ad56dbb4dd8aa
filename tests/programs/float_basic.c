#include <stdio.h>

int main(void) {
    double a = 0.1, b = 0.2; float f = 0.1f, g = 0.2f;
    printf("%.17g %.17g %.17g %.17g\n", a + b, a - b, a * b, a / b);
    printf("%.9g %.9g %.9g %.9g\n", f + g, f - g, f * g, f / g);
    printf("%.17g\n", a + f); printf("%d %d %d\n", a + b == 0.3, f == a, (float)a == f);
    printf("%a %a\n", a, 1.0 / 3); printf("%e %G %f\n", 12345.678, 1e-10, 1e10);
}
