#include <stdio.h>

struct b { unsigned a : 3; int b : 5; unsigned c : 12; _Bool d : 1; signed e : 1; unsigned f : 10; };
int main(void) { struct b x = {7, -16, 4095, 1, -1, 1023}; printf("%d %d %d %d %d %d %d\n", x.a, x.b, x.c, x.d, x.e, x.f, (int)sizeof x); x.a += 3; x.b--; x.c <<= 4; x.d = 4; x.e = 1; x.f *= 3; printf("%d %d %d %d %d %d\n", x.a, x.b, x.c, x.d, x.e, x.f);
    printf("%d\n", x.a++); printf("%d\n", ++x.b); printf("%d\n", x.f--); printf("%d %d %d\n", x.a, x.b, x.f); int r = x.a = 13; printf("%d %d\n", r, x.a); r = x.b = 20; printf("%d\n", r); x.d = 0; x.d++; x.d++; printf("%d\n", x.d); x.d--; printf("%d %d\n", x.d, ~x.a); printf("%d\n", x.a - 6 < 0); }
