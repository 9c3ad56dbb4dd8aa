//@ lp64 only
#include <stdio.h>

struct w { unsigned long long a : 40; long long b : 24; unsigned long long c : 64; long long d : 33; };
int main(void) { struct w x = {0xffffffffffull, -1, ~0ull, -4000000000ll}; printf("%llx %lld %llx %lld %d\n", (unsigned long long)x.a, (long long)x.b, (unsigned long long)x.c, (long long)x.d, (int)sizeof x); x.a -= 5; x.b = 0x7fffff; x.b = x.b + 1; x.d = x.d / 3; printf("%llx %lld %lld\n", (unsigned long long)x.a, (long long)x.b, (long long)x.d); }
