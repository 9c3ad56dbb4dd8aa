#include <stdio.h>

int main(void) {
    int a[4] = {1, 2, 3, 4}, i = 0; int *p = a; unsigned char c = 255; _Bool b = 0; double d = 0.5; float f = -0.5f;
    printf("%d\n", a[i++]); printf("%d\n", a[++i]); printf("%d\n", *p++); printf("%d %d\n", i, *p); printf("%d\n", ++*p);
    printf("%d\n", (*p)--); printf("%d\n", *p); c++; printf("%d\n", c); c--; printf("%d\n", c);
    b++; printf("%d\n", b); b++; printf("%d\n", b); b--; printf("%d\n", b); b--; printf("%d\n", b);
    d++; --d; d--; printf("%g %g\n", d, f++); printf("%g %ld\n", f, (long)(p - a));
}
