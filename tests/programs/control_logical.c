#include <stdio.h>

static int calls; static int t(int v) { calls++; return v; }
int main(void) {
    printf("%d\n", t(0) && t(1)); printf("%d\n", t(1) || t(0)); printf("%d\n", t(2) && t(3)); printf("%d\n", t(0) || t(0)); printf("%d\n", calls);
    int a = 5; int b = a > 3 && a < 10 || a == 100; int c = !(a && !b); printf("%d %d\n", b, c);
    printf("%d %d\n", a ?: 9, 0 ?: 9); int i = 0; int r = i++ ?: 7; printf("%d %d\n", i, r); double d = 2.5 ?: 1; printf("%g\n", d);
    char *p = 0; printf("%s\n", p ?: "null"); printf("%d\n", (a, b, 42)); if (p && *p) printf("no\n"); calls = 3; printf("%d\n", calls + 1);
    printf("%d\n", 0.5 && 1e-300); unsigned char uc = 3; long long q = uc ?: -1ll; printf("%lld\n", q);
}
