#include <stdio.h>

struct a { char c; }; struct b { double d; int i; }; struct c { long long v[3]; }; static long long f(int x, struct a a, struct b b, double y, struct c c, short z, struct a *p) { a.c++; b.i *= 2; c.v[0]--; p->c = 'P'; return x + a.c + b.i + (long long)(b.d + y) + c.v[0] + c.v[2] + z; }
int main(void) { struct a a = {'a'}; struct b b = {1.5, 2}; struct c c = {{10, 20, 30}}; printf("%lld\n", f(1, a, b, 2.5, c, -3, &a)); printf("%c %d %lld\n", a.c, b.i, c.v[0]); }
