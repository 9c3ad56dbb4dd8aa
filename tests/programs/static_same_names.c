#include <stdio.h>

static int x = 1; static int f(void) { static int x = 2; return x++; } static int g(void) { static int x = 3; { static int x = 4; x += 10; return x; } } int main(void) { int x = 5; printf("%d\n", x); for (int i = 0; i < 2; i++) { printf("%d ", f()); printf("%d\n", g()); } { extern int y; int x = 6; printf("%d %d\n", x, y); } { int x = x = 7; printf("%d\n", x); } return 0; } int y = 12;
