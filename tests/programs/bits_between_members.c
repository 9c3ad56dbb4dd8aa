#include <stdio.h>

struct s { char c; int f : 8; int g : 8; short h; unsigned i : 4; unsigned : 0; unsigned j : 4; unsigned : 3; unsigned k : 2; };
int main(void) { struct s x = {1, 2, 3, 4, 5, 6, 3}; x.c = -1; x.f = -5; x.h = 1000; x.k = 2; printf("%d %d %d %d %d %d %d %d\n", x.c, x.f, x.g, x.h, x.i, x.j, x.k, (int)sizeof x);
    unsigned char *p = (unsigned char *)&x; for (unsigned i = 0; i < sizeof x; i++) printf("%02x", i == 9 ? p[i] & 0x60 : p[i]); printf("\n"); }
