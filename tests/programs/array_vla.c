#include <stdio.h>

static int sum(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j] * (j + 1); m = 0; return s + (int)sizeof a[0]; }
static int f(int n) { int a[n], b[n][n + 1]; int old = n; n = 100; for (int i = 0; i < old; i++) { a[i] = i; for (int j = 0; j <= old; j++) b[i][j] = i * j; } int s = (int)(sizeof a + sizeof b + sizeof b[0]); for (int i = 0; i < old; i++) s += a[i] + b[i][old]; return s + sum(old, old + 1, b); }
int main(void) { for (int i = 1; i < 6; i++) printf("%d ", f(i)); int k = 3; typedef int row[k]; k = 50; row r; printf("%d ", (int)sizeof r); int (*p)[k] = 0; k = 1; printf("%d ", (int)(sizeof *p / sizeof **p)); int c = 2; printf("%d ", (int)sizeof(char[c++])); printf("%d ", c); printf("%d\n", (int)sizeof(int[c++ * 0 + 3])); printf("%d\n", c); for (int i = 1; i < 4; i++) { int v[i]; v[i - 1] = i; printf("%d:%d ", (int)sizeof v, v[i - 1]); } printf("\n"); }
