#include <stdio.h>

struct s { int t; union { struct { short lo, hi; }; int w; }; };
int main(void) { struct s v = {.t = 1, .w = 0x12345678}; printf("%x %x\n", v.lo, v.hi); v.hi = 0x7fff; printf("%x\n", v.w); struct s *p = &v; p->lo = -1; printf("%x\n", p->w); }
