#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn static void die(int c) { printf("die %d\n", c); exit(c); } static int f(int x) { if (x > 2) die(x); return x; } int main(void) { int s = 0; for (int i = 0; i < 10; i++) s += f(i); return s; }
