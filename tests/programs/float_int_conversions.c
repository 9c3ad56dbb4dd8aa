#include <stdio.h>

int main(void) {
    double v[] = {0, -0.9, 0.9, 1.5, -1.5, 2147483647.0, -2147483648.0, 1e9, 123456789.75};
    for (int i = 0; i < 9; i++) printf("%d %lld %d\n", (int)v[i], (long long)v[i], (int)(float)(v[i] / 16));
    printf("%llu %llu %u\n", (unsigned long long)1.8e19, (unsigned long long)9.3e18, (unsigned)4e9);
    printf("%.17g %.17g\n", (double)0x7fffffffffffffffll, (double)~0ull);
    printf("%.9g %.9g %.9g\n", (float)16777217, (float)0x7fffffff, (float)~0ull);
    int i = 7; i = i * 1.5; printf("%d\n", i); unsigned char c = 3.99; printf("%d\n", c); printf("%d\n", (int)(0.1f * 10 == 1.0));
}
