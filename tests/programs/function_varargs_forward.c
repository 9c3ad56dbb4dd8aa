#include <stdio.h>
#include <stdarg.h>

static int vsum(int n, va_list ap) { int s = 0; while (n--) s += va_arg(ap, int); return s; } static int sum(int n, ...) { va_list ap, two; va_start(ap, n); va_copy(two, ap); int a = vsum(n, ap), b = va_arg(two, int); va_end(ap); va_end(two); return a * 100 + b; }
static int pick(va_list *ap) { return va_arg(*ap, int); } static int walk(int n, ...) { va_list ap; va_start(ap, n); int s = 0; for (int i = 0; i < n; i++) s = s * 10 + pick(&ap); va_end(ap); return s; }
static void out(const char *f, ...) { va_list ap; va_start(ap, f); vprintf(f, ap); va_end(ap); char b[64]; va_start(ap, f); vsnprintf(b, sizeof b, f, ap); va_end(ap); puts(b); }
int main(void) { printf("%d %d\n", sum(3, 4, 5, 6), walk(4, 1, 2, 3, 4)); out("%d-%s-%g|\n", 1, "two", 3.5); int (*p)(int, ...) = sum; printf("%d\n", p(2, 10, 20)); }
