#include <stdio.h>

static int n; static int *next(void) { static int a[8]; return &a[n++ & 7]; } struct s { int v; unsigned b : 5; }; static struct s st[4]; static struct s *ns(void) { return &st[n++ & 3]; }
int main(void) { *next() += 5; printf("%d\n", n); (*next())++; printf("%d\n", n); *next() = *next() + 1; printf("%d\n", n); ns()->v |= 3; ns()->b += 7; ns()->b++; printf("%d %d %d\n", n, st[0].v + st[1].v + st[2].v + st[3].v, st[0].b + st[1].b + st[2].b + st[3].b); int i = 0; int a[4] = {0}; a[i++] += 10; a[i++]--; printf("%d %d %d\n", i, a[0], a[1]); int x = *next() ?: 42; printf("%d %d\n", x, n); }
