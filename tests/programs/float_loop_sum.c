#include <stdio.h>

int main(void) {
    double s = 0; float f = 0; for (int i = 1; i <= 1000; i++) { s += 1.0 / i; f += 1.0f / i; }
    printf("%.17g %.9g\n", s, f);
    double x = 2; for (int i = 0; i < 30; i++) x = x - (x * x - 2) / (2 * x); printf("%.17g\n", x);
    double p = 0; for (int k = 0; k < 200; k++) p += (k % 2 ? -4.0 : 4.0) / (2 * k + 1); printf("%.15g\n", p);
}
