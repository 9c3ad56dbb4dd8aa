#include <stdio.h>

static void done(int *p) { printf("done %d\n", *p); }
#define CLEAN __attribute__((cleanup(done)))
static int f(int n) {
    CLEAN int a = n;
    for (int i = 0; i < 3; i++) { CLEAN int b = 10 + i; if (i == n) continue; if (i + n == 3) break; printf("body %d\n", i); }
    { CLEAN int c = 20; if (n == 2) goto out; CLEAN int d = 30; if (n == 1) return c + d; }
    puts("end");
out: return a;
}
int main(void) { printf("%d\n", f(0)); printf("%d\n", f(1)); printf("%d\n", f(2)); }
