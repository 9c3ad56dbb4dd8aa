#include <stdio.h>

static int f(int n) { int r = 0; for (int i = 0; i < 5; i++) { int a[2] = {i, n}; for (int j = 0; j < 5; j++) { int b = j * 2; switch (b + a[0]) { case 3: goto found; case 6: goto next; case 100: goto out; default: r += b; } if (r > n) goto out; } next:; r++; } return -r; found: return r; out: return r * 10; }
int main(void) { for (int n = 0; n < 80; n += 13) printf("%d ", f(n)); printf("\n"); int k = 0; { top: if (k < 3) { int v = k; k++; { int w = v * v; if (w < 5) goto top; } } } printf("%d\n", k); if (0) { dead: printf("reached %d\n", k); return 3; } k = 9; goto dead; }
