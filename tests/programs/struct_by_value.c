#include <stdio.h>

struct small { char a; short b; }; struct big { int v[20]; struct small s; };
static struct small mk(char a, short b) { struct small s = {a, b}; return s; }
static struct big fill(struct big b, int k) { for (int i = 0; i < 20; i++) b.v[i] += k * i; b.s = mk('z', k); return b; }
int main(void) {
    struct big b = {{1, 2, 3}, {'a', 1}}, c = fill(b, 2), d = fill(fill(c, 1), -5);
    printf("%d %d %d %c %d\n", b.v[1], c.v[5], d.v[19], d.s.a, d.s.b); printf("%d\n", fill(b, 3).v[4]); printf("%c\n", mk('q', 0).a);
    struct big *p = &d; *p = b; d.v[0] = 99; printf("%d %d\n", b.v[0], p->v[0]);
}
