#include <stdio.h>

int main(void) { int a = 1, *p = &a, b[3] = {a, *p + 1}, (*q)[3] = &b, c = (*q)[1] + a; printf("%d %d %d\n", *p, c, (*q)[2]); typedef int T, *PT, A3[3]; A3 x = {1, 2, 3}; PT y = x; T z = y[2]; printf("%d %d\n", z, (int)(sizeof(A3) / sizeof(T))); const char *s = "abc", *e = s + 3; int n = e - s; printf("%d\n", n); extern int glob; printf("%d\n", glob); register int r = 5; r++; printf("%d\n", r); auto int w = r; printf("%d\n", w); char (*f[2])(char); (void)f; int i = 0, j = i++ + 1, k = j + i; printf("%d %d %d\n", i, j, k); } int glob = 33;
