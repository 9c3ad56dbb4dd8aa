#include <stdio.h>

static int f(int x) { switch (x) { case 0: return 10; case 1: case 2: return 20; case 3: x += 5; case 4: return x; default: return -1; case -1: return 7; } }
int main(void) { for (int i = -3; i < 8; i++) printf("%d ", f(i)); printf("\n"); }
