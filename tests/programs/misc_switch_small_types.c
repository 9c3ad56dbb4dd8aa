#include <stdio.h>

struct b { unsigned f : 3; signed g : 4; }; static int k(_Bool b) { switch (b) { case 0: return 10; case 1: return 11; } return 0; } static int c(signed char x) { switch (x) { case -128: return 1; case 127: return 2; case 'a': return 3; default: return 4; } } static int h(short s) { switch (s) { case -1: return 1; case 0 ... 0x7fff: return 2; default: return 3; } }
int main(void) { struct b v = {5, -3}; switch (v.f) { case 5: puts("five"); break; default: puts("no"); } switch (v.g) { case -3: puts("minus three"); break; case 13: puts("wrong"); } printf("%d%d %d%d%d%d %d%d%d\n", k(7), k(0), c(-128), c(127), c('a'), c(0), h(-1), h(5), h(-2)); switch (3) { default: puts("d"); } switch (3) { } switch (1) case 1: puts("one"); }
