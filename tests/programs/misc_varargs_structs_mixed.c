#include <stdio.h>
#include <stdarg.h>

struct a { char c; }; struct b { int x, y, z; }; struct c { double d[3]; char t[5]; }; union u { int i; float f; };
static void show(const char *f, ...) { va_list ap; va_start(ap, f); for (; *f; f++) switch (*f) { case 'a': printf("%c ", va_arg(ap, struct a).c); break; case 'b': { struct b v = va_arg(ap, struct b); printf("%d,%d,%d ", v.x, v.y, v.z); break; } case 'c': { struct c v = va_arg(ap, struct c); printf("%g,%s ", v.d[2], v.t); break; } case 'u': printf("%g ", va_arg(ap, union u).f); break; case 'i': printf("%d ", va_arg(ap, int)); break; case 'd': printf("%g ", va_arg(ap, double)); break; case 'p': printf("%s ", va_arg(ap, char *)); break; case 'q': printf("%lld ", va_arg(ap, long long)); break; } va_end(ap); printf("\n"); }
int main(void) { struct a a = {'A'}; struct b b = {1, 2, 3}; struct c c = {{1, 2, 3.5}, "text"}; union u u = {.f = 2.25f}; show("abcuidpq", a, b, c, u, 7, 1.5, "str", -5ll); show("iabiibcqi", 1, a, b, 2, 3, b, c, 1ll << 40, 9); }
