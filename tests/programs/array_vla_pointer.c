#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fill(int n, int (*m)[n]) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] = i * n + j; }
int main(void) { int n = 4; int (*m)[n] = malloc(sizeof(int[n][n])); fill(n, m); n = 9; printf("%d %d %d\n", m[2][3], (int)sizeof *m, (int)((char *)(m + 1) - (char *)m)); int t = 0; for (int *p = m[1]; p < m[3]; p++) t += *p; printf("%d\n", t); free(m); int q = 3; int cube[q][q][q]; int c = 0; for (int i = 0; i < q; i++) for (int j = 0; j < q; j++) for (int k = 0; k < q; k++) cube[i][j][k] = c++; printf("%d %d\n", cube[2][1][0], (int)(sizeof cube / sizeof cube[0])); }
