#include <stdio.h>

static unsigned char g[2][12][12]; int main(void) { g[0][2][3] = g[0][3][4] = g[0][4][2] = g[0][4][3] = g[0][4][4] = 1; for (int t = 0; t < 8; t++) { unsigned char (*a)[12] = g[t & 1], (*b)[12] = g[~t & 1]; for (int y = 0; y < 12; y++) for (int x = 0; x < 12; x++) { int n = 0; for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) if (dx || dy) n += a[(y + dy + 12) % 12][(x + dx + 12) % 12]; b[y][x] = n == 3 || (a[y][x] && n == 2); } } for (int y = 0; y < 12; y++) { for (int x = 0; x < 12; x++) putchar(g[0][y][x] ? '#' : '.'); putchar('\n'); } }
