#include <stdio.h>

__attribute__((weak)) int f(int x) { return x * 2; } static int g(int) __attribute__((alias("h"))); static int h(int x) { return x + 7; } int main(void) { int (*p)(int) = g; printf("%d %d %d\n", f(4), g(1), p(2)); }
