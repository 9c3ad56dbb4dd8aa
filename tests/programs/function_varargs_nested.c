#include <stdio.h>
#include <stdarg.h>

static int f(int n, ...) { va_list ap; va_start(ap, n); int r = n; for (int i = 0; i < n; i++) r = r * 7 + va_arg(ap, int); va_end(ap); return r; } static int g(int d, ...) { va_list ap; va_start(ap, d); int v = va_arg(ap, int), r = d ? g(d - 1, v + 1) : v; r += va_arg(ap, int) * 0; va_end(ap); return r + v; }
int main(void) { printf("%d\n", f(2, f(1, 5), f(3, f(0), 1, f(1, 2)))); printf("%d %s %d\n", f(1, 1), "x", f(2, 2, 3)); }
