#include <stdio.h>

static long double unused = 1.5L; static _Complex double cu = 2.0; long double f(long double x) { return x * 2; } struct s { int a; long double b; int c; }; int main(void) { struct s x = {1, 0, 2}; if (x.a == 7) return (int)f(unused); struct s y; y.a = 3; y.c = 4; printf("%d %d %d\n", x.c, y.a + y.c, (int)sizeof(int)); return 0; }
