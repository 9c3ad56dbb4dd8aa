#include <stdio.h>

int main(void) { int a[5]; int *p = a, *e = a + 5; int n = 0; while (p < e) { *p++ = n++; } printf("%d %d %d %d\n", p == e, p > a, a <= e, &a[2] != &a[3]); char *c = (char *)a; printf("%d %d\n", (void *)c == (void *)a, (int)(e - a)); int *z = 0; printf("%d %d %d\n", z == 0, !z, z != a); const void *v = a; printf("%d\n", v == a ? 1 : 2); unsigned long u = (unsigned long)(e) - (unsigned long)(a); printf("%d\n", (int)u); int (*f)(void) = main == 0 ? 0 : (int (*)(void))main; printf("%d\n", f != 0); }
