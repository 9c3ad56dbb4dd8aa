#include <stdio.h>

static int next(void) { static int n = 5; static int calls; calls++; return n += calls; } static int other(void) { static int n = 100; { static int n = 1; n *= 2; return n; } return n; }
static int *slot(int i) { static int a[4] = {1, 2}; return &a[i]; }
int main(void) { for (int i = 0; i < 4; i++) printf("%d ", next()); for (int i = 0; i < 3; i++) printf("%d ", other()); *slot(3) = 9; ++*slot(0); printf("%d %d %d\n", *slot(0), *slot(1), *slot(3)); for (int i = 0; i < 3; i++) { static int k = 7; int l = 7; k++; l++; printf("%d%d ", k, l); } printf("\n"); }
