//@ lp64 only
#include <stdio.h>

static void show(unsigned __int128 v) {
    char buf[50]; int n = 0;
    do { buf[n++] = '0' + (int)(v % 10); v /= 10; } while (v);
    while (n) putchar(buf[--n]);
    putchar('\n');
}
int main(void) {
    unsigned __int128 x = 1;
    for (int i = 1; i <= 30; i++) x *= i;
    show(x); show(x / 1000007); show(x % 1000007); show(x >> 70); show(~(unsigned __int128)0);
    __int128 y = -1; y <<= 100; printf("%d %llx %d\n", y < 0, (unsigned long long)(y >> 64), (int)(y >> 120));
    double d = (double)x; printf("%g\n", d);
    show((unsigned __int128)1e30);
}
