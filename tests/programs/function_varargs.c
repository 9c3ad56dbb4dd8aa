#include <stdio.h>
#include <stdarg.h>

struct s { int a; double b; char c[20]; };
static double sum(const char *f, ...) { va_list ap; va_start(ap, f); double r = 0; for (; *f; f++) switch (*f) { case 'i': r += va_arg(ap, int); break; case 'l': r += va_arg(ap, long); break; case 'q': r += va_arg(ap, long long); break; case 'd': r += va_arg(ap, double); break; case 'u': r += va_arg(ap, unsigned); break; case 'p': r += *va_arg(ap, int *); break; case 's': { struct s v = va_arg(ap, struct s); r += v.a + v.b + v.c[3]; break; } case 'c': r += (char)va_arg(ap, int); break; } va_end(ap); return r; }
int main(void) { int x = 1000; struct s v = {1, 2.5, "abcd"}; char c = 'x'; short h = -5; float f = 0.25f; printf("%g\n", sum("ildqups", 1, 2l, 0.5, 1ll << 33, 4000000000u, &x, v)); printf("%g\n", sum("ccidd", c, c, h, f, (double)f)); printf("%g\n", sum("")); printf("%g\n", sum("sds", v, 1.0, v)); printf("%g\n", sum("iiiiiiiiiidddddddddd", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1.)); }
