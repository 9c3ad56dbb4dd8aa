#include <stdio.h>

struct huge { char c[5000]; int n; double d[10]; };
static struct huge g, h; static int sum(struct huge x) { int s = x.n; for (int i = 0; i < 5000; i++) s += x.c[i]; return s; }
int main(void) {
    for (int i = 0; i < 5000; i++) g.c[i] = i % 50; g.n = 7; g.d[9] = 2.5; h = g; h.c[4999] = 1; struct huge l = h;
    printf("%d %d %d %g\n", sum(g), sum(h), sum(l), l.d[9]); struct huge z = {0}; printf("%d\n", sum(z)); z.c[3] = 4; l = z; printf("%d\n", sum(l));
}
