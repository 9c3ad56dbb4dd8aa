#include <stdio.h>

struct s { int a; char b; };
int main(void) {
    int x = 1; struct s p = {1, 'p'}, q = {2, 'q'}; struct s r = x ? p : q; printf("%d%c\n", r.a, r.b); printf("%c\n", (x ? q : p).b);
    printf("%g\n", x ? 1 : 2.5); printf("%lld\n", x ? -1 : 1ll); unsigned u = 5; printf("%d\n", (x ? -1 : u) > 0);
    char *s = x ? "yes" : 0; puts(s); x ? puts("a") : puts("b"); (x ? (void)puts("c") : (void)0); int i = 1, j = 2; *(x ? &i : &j) = 9; printf("%d %d\n", i, j);
}
