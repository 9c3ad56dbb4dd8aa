#include <stdio.h>

static int n; static int id(int x) { n = n * 10 + x; return x; } int main(void) { int a = id(1); int b = id(2); printf("%d %d %d\n", a, b, n); int x = (id(3), id(4)); printf("%d %d\n", x, n); int v[3] = {id(5), id(6), id(7)}; printf("%d %d\n", n, v[2]); if (id(8) && id(0) || id(9)) printf("%d\n", n); for (n = 0; id(n % 3 + 1) < 3;); printf("%d\n", n); }
