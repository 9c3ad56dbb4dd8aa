#include <stdio.h>

struct s { int v[3]; struct { int w; } in; }; int main(void) { int a[3] = {1, 2, 3}; int *p = a; *(p + 1) = 20; 2[a] = 30; (*&a[0])++; *p++ = 11; *(++p) = 33; printf("%d %d %d\n", a[0], a[1], a[2]); struct s x = {{1, 2, 3}, {4}}, *q = &x; q->v[1] = 5; (*q).in.w = 6; (&x)->v[2] += q->in.w; *(&q->v[0] + 0) = 9; printf("%d %d %d %d\n", x.v[0], x.v[1], x.v[2], x.in.w); int **pp = &p; p = a; **pp = 77; (*pp)++; printf("%d %d\n", a[0], *p); int i = 0; a[i++] = i; printf("%d\n", i); char b[4] = {0}; char *c = b; *c++ = 'x'; *c++ = 'y'; printf("%s\n", b); }
