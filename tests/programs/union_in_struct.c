#include <stdio.h>

struct v { int tag; union { int i; double d; char s[12]; struct { short x, y; } p; } u; };
static void show(struct v v) { switch (v.tag) { case 0: printf("%d\n", v.u.i); break; case 1: printf("%g\n", v.u.d); break; case 2: printf("%s\n", v.u.s); break; default: printf("%d,%d\n", v.u.p.x, v.u.p.y); } }
int main(void) { struct v a[] = {{0, {5}}, {1, {.d = 2.5}}, {2, {.s = "hello"}}, {3, {.p = {-1, 2}}}}; for (int i = 0; i < 4; i++) { struct v c = a[i]; show(c); } }
