#include <stdio.h>

union u { int i; float f; char *s; }; static int kind(union u u, int k) { return k == 0 ? u.i : k == 1 ? (int)u.f : u.s[0]; } int main(void) { printf("%d %d %d\n", kind((union u)5, 0), kind((union u)2.5f, 1), kind((union u)(char *)"A", 2)); }
