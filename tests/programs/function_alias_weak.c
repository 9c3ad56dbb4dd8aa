#include <stdio.h>

int real(int x) { return x + 1; } int same(int x) __attribute__((alias("real"))); static int hidden(int x) { return x * 3; } int pub(int x) __attribute__((alias("hidden"))); __attribute__((weak)) int w(void) { return 4; } extern int missing(void) __attribute__((weak)); int var = 5; extern int var2 __attribute__((alias("var")));
static int (*maybe)(void) = missing;
int main(void) { if (missing) return missing(); printf("%d %d\n", missing == 0, maybe == 0); var2 = 9; printf("%d %d %d %d %d\n", same(1), pub(2), w(), var, same == real); }
