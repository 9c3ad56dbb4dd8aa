#include <stdio.h>

int main(void) { int sq(int x) { return x * x; } int twice(int (*f)(int), int v) { return f(f(v)); } printf("%d %d\n", sq(4), twice(sq, 3)); }
