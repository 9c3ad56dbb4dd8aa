#include <stdio.h>

int main() { printf("%d %d\n", later(3), f(1, 2)); return 0; } int later(int x) { return x * 2; } int f() { return 8; }
