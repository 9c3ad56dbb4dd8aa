#include <stdio.h>

struct m { int v[4]; }; static struct m f(int k) { struct m r; for (int i = 0; i < 4; i++) r.v[i] = k + i; return r; }
int main(void) { int s = 0; for (int i = 0; i < 4; i++) s += f(i).v[i]; printf("%d %d\n", s, f(10).v[3] + f(20).v[0]); int *p = f(3).v; (void)p; printf("%d\n", (f(1), f(2)).v[1]); }
