#include <stdio.h>

int main(void) {
    int n = 0; for (;;) { if (++n > 5) break; if (n % 2) continue; printf("%d ", n); }
    do { n--; if (n == 3) continue; printf("%d ", n); } while (n > 0);
    while (n < 3) n++; for (int i = 0, j = 10; i < j; i++, j--) n += i * j; printf("%d\n", n);
    int k = 5; while (k --> 0) { switch (k) { case 3: continue; case 1: break; default: printf("<%d>", k); } printf("."); } printf("\n");
}
