#include <stdio.h>

enum c { R, G = 5, B }; enum big { X = 0x80000000u, Y = 1 }; enum neg { N = -1, M = 2 }; enum __attribute__((packed)) tiny { T1, T2 = 200 }; struct s { enum c c; enum tiny t; }; static const char *nm(enum c c) { switch (c) { case R: return "R"; case G: return "G"; case B: return "B"; } return "?"; }
int main(void) { enum c v = B; printf("%d %s %s %d\n", v, nm(v), nm(v - 1), (int)sizeof(enum tiny)); printf("%d %d %d\n", X > 0, N < 0, (enum neg)5); struct s s = {G, T2}; s.t++; s.c += 1; printf("%d %d\n", s.t, s.c); enum neg n = M; n = -n; printf("%d %d\n", n < 0, n); for (enum c i = R; i <= B; i++) printf("%d", i); printf("\n"); }
