#include <stdio.h>

union u { unsigned w; struct { unsigned lo : 4, mid : 8, hi : 20; }; struct { unsigned char b0, b1; }; int s : 7; };
int main(void) { union u x = {0x12345678}; printf("%x %x %x %x %d\n", x.lo, x.mid, x.hi, x.b1, x.s); x.mid = 0xff; x.s = -2; printf("%x %d\n", x.w, x.s); static union u g = {.hi = 0}; static union u k = {.s = -1}; printf("%x %x\n", g.w, k.w & 0x7f); }
