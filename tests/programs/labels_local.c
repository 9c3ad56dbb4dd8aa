#include <stdio.h>

#define FIND(a, n, v) ({ __label__ found; int i_ = 0, r_ = -1; for (; i_ < n; i_++) if (a[i_] == v) { r_ = i_; goto found; } found: r_; })
int main(void) { int a[] = {4, 8, 15, 16}; printf("%d %d %d\n", FIND(a, 4, 15), FIND(a, 4, 4), FIND(a, 4, 99)); }
