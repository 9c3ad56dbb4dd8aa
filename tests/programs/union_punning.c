#include <stdio.h>

union u { float f; unsigned i; unsigned char b[4]; short h[2]; }; union d { double d; unsigned long long q; };
int main(void) { union u x; x.f = 1.0f; printf("%x %d\n", x.i, x.b[3]); x.i = 0x40490fdb; printf("%.6f\n", x.f); x.b[0] = 0; x.h[1]++; printf("%x\n", x.i); union d y = {-0.5}; printf("%llx\n", y.q); y.q ^= 1ull << 63; printf("%g\n", y.d); union u z = x; printf("%d\n", z.i == x.i); }
