#include <stdio.h>

static double det(int n, double m[n][n]) { if (n == 1) return m[0][0]; double r = 0; for (int k = 0; k < n; k++) { double s[n - 1][n - 1]; for (int i = 1; i < n; i++) for (int j = 0, c = 0; j < n; j++) if (j != k) s[i - 1][c++] = m[i][j]; r += (k % 2 ? -1 : 1) * m[0][k] * det(n - 1, s); } return r; }
int main(void) { double m[4][4] = {{1, 2, 3, 4}, {5, 6, 7, 8.5}, {2, 6, 4, 8}, {3, 1, 1, 2}}; printf("%.10g\n", det(4, m)); }
