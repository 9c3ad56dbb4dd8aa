#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) { int r = 3, c = 4; int **m = malloc(r * sizeof *m); for (int i = 0; i < r; i++) { m[i] = malloc(c * sizeof **m); for (int j = 0; j < c; j++) m[i][j] = i ^ j; } int t = 0; for (int i = 0; i < r; i++) { for (int *p = m[i]; p != m[i] + c; ++p) t = t * 2 + *p; free(m[i]); } free(m); printf("%d\n", t); int x = 1, *a = &x, **b = &a, ***d = &b; ***d = 9; printf("%d\n", x); }
