#include <stdio.h>

static int m[3][4][2]; static int sum(int (*a)[4][2], int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) for (int k = 0; k < 2; k++) s += a[i][j][k] * (i + 2 * j + 3 * k); return s; }
int main(void) { int *f = &m[0][0][0]; for (int i = 0; i < 24; i++) f[i] = i; printf("%d %d %d\n", sum(m, 3), m[1][2][1], *(*(*(m + 2) + 3) + 1)); printf("%d %d\n", (int)sizeof m[0], (int)(&m[2] - &m[0])); int (*row)[2] = m[1]; printf("%d %d\n", row[3][1], 1[2[m]][0]); }
