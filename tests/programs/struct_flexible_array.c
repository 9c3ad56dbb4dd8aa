#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct f { int n; short d[]; }; static struct f g = {3, {1, 2, 0}}; struct t { char c; char s[]; }; static struct t st = {'x', "flex"};
int main(void) {
    printf("%d %d %d %d\n", (int)sizeof g, g.n, g.d[1], g.d[2]); g.d[2] = 5; printf("%d %s\n", g.d[2], st.s); struct f *p = malloc(sizeof *p + 10 * sizeof(short)); p->n = 10;
    for (int i = 0; i < 10; i++) p->d[i] = i * i; printf("%d\n", p->d[9]); free(p);
}
