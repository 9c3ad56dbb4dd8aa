#include <stdio.h>

static int n; static int tick(void) { return ++n; } struct s { int a, b, c; }; int main(void) { struct s x = {.c = tick(), .a = 5}; int a[4] = {tick(), [3] = tick()}; int r[3] = {[0 ... 2] = tick()}; printf("%d %d %d | %d %d | %d %d\n", x.a, x.b, x.c, a[0], a[3], r[0], r[2]); printf("%d\n", n); struct s y = x, *p = &(struct s){y.c}; y = (struct s){p->a, y.a, tick()}; printf("%d %d %d\n", y.a, y.b, y.c); int v = ({ int t = tick(); t * 2; }); printf("%d\n", v); int sc = {7}; printf("%d\n", sc); }
