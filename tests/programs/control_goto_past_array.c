#include <stdio.h>

static int f(int n) {
    if (n) goto skip;
    int a[3] = {1, 2, 3}; struct { int x, y; } s = {4, 5};
skip: a[0] = 7; s.x = 8; a[2] = n; return a[0] + s.x + a[2];
}
static int g(int n) { switch (n) { int t[4]; case 1: t[0] = 3; t[1] = 4; return t[0] + t[1]; case 2: t[3] = 9; return t[3]; } return 0; }
int main(void) { printf("%d %d %d %d %d\n", f(0), f(1), g(1), g(2), g(3)); }
