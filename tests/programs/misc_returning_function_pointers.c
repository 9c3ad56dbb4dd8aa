#include <stdio.h>

static int inc(int x) { return x + 1; } static int dbl(int x) { return x * 2; } static int (*choose(int w))(int) { return w ? inc : dbl; } static int (*(*tab[2])(int))(int) = {choose, choose}; typedef int (*fn)(int); static fn compose_a, compose_b; static int both(int x) { return compose_b(compose_a(x)); } static fn compose(fn a, fn b) { compose_a = a; compose_b = b; return both; }
int main(void) { printf("%d %d %d\n", choose(1)(5), choose(0)(5), tab[1](0)(21)); printf("%d\n", compose(inc, dbl)(4)); fn arr[3] = {inc, [2] = dbl}; int s = 0; for (int i = 0; i < 3; i++) if (arr[i]) s += arr[i](i); printf("%d\n", s); int (**pp)(int) = arr; printf("%d %d\n", (*pp)(1), pp[2](8)); }
