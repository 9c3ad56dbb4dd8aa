#include <stdio.h>

struct __attribute__((packed)) s { unsigned a : 5; unsigned b : 30; int c : 29; unsigned char d; unsigned e : 7; unsigned long long f : 50; };
static struct s g = {1, 0x2fffffff, -3, 200, 100, 0x3ffffffffffffull};
int main(void) { struct s x = g; printf("%d %u %x %d %d %d %llx\n", (int)sizeof x, x.a, x.b, x.c, x.d, x.e, (unsigned long long)x.f); x.b = 12345; x.c = -200000000; x.f = 0x123456789abcull; x.e = 5; printf("%u %u %d %d %d %llx\n", x.a, x.b, x.c, x.d, x.e, (unsigned long long)x.f);
    unsigned char *p = (unsigned char *)&x; unsigned h = 0; for (unsigned i = 0; i < sizeof x; i++) h = h * 31 + p[i]; printf("%u\n", h); }
