#include <stdio.h>

static inline int sq(int x) { return x * x; } inline __attribute__((always_inline)) static int tw(int x) { return 2 * x; } extern inline int ext(int x); inline int ext(int x) { return x + 1; } __attribute__((noinline)) static int no(int x) { return x - 1; }
int main(void) { int s = 0; for (int i = 0; i < 5; i++) s += sq(i) + tw(i) + ext(i) + no(i); printf("%d %d\n", s, (sq)(3)); int (*p)(int) = ext; printf("%d\n", p(1)); }
