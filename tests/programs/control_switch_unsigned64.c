#include <stdio.h>

static int f(unsigned long long x) { switch (x) { case ~0ull: return 1; case 1ull << 63: return 2; case 0: return 3; } return 4; }
enum e { A = -5, B = 0, C = 300 };
static int g(enum e x) { switch (x) { case A: return 1; case B: return 2; case C: return 3; } return 0; }
int main(void) { printf("%d%d%d%d\n", f(~0ull), f(1ull << 63), f(0), f(5)); printf("%d%d%d\n", g(A), g(B), g(C)); }
