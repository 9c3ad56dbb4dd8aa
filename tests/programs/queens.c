#include <stdio.h>

static int n, cnt, col[12]; static void go(int r) { if (r == n) { cnt++; return; } for (int c = 0; c < n; c++) { int ok = 1; for (int k = 0; k < r; k++) if (col[k] == c || r - k == c - col[k] || r - k == col[k] - c) ok = 0; if (ok) { col[r] = c; go(r + 1); } } } int main(void) { for (n = 1; n <= 6; n++) { cnt = 0; go(0); printf("%d ", cnt); } printf("\n"); return cnt; }
