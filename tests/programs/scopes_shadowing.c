#include <stdio.h>

int a = 1; static int f(int a) { a++; { int a = 10; a++; { extern int a; a++; } } return a; } struct t { int v; }; int main(void) { int r = f(5); struct t { char c[3]; } x; typedef int t; t n = sizeof x; printf("%d %d %d\n", r, a, n); for (int i = 0; i < 2; i++) { int i = 7; printf("%d ", i++); } if (a > 0) { int a = -1; printf("%d\n", a); } enum { a2 = 4 }; { enum { a2 = 5 }; printf("%d ", a2); } printf("%d\n", a2); }
