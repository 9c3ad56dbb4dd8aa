#include <stdio.h>

struct in { short a[3]; struct { char c; int v[2]; } p[2]; }; struct out { struct in r[2][2]; int n; }; static struct out g = {{{{{1, 2, 3}, {{'a', {4, 5}}}}}, {[1] = {.p[1].v[1] = 9}}}, 7}; static int walk(const struct out *o) { int s = o->n; for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) for (int k = 0; k < 3; k++) { s = s * 3 + o->r[i][j].a[k]; s += o->r[i][j].p[k % 2].v[k / 2] + o->r[i][j].p[k & 1].c; } return s; }
int main(void) { struct out l = g; l.r[0][1] = l.r[1][1]; l.r[1][0].p[0] = l.r[0][0].p[0]; printf("%d %d\n", walk(&g), walk(&l)); struct out a[3] = {g, l, [2] = {.n = 1}}; a[2].r[1][1] = a[1].r[0][0]; printf("%d %d\n", walk(a + 2), (int)(sizeof a / sizeof a[0])); struct in (*row)[2] = &a[0].r[1]; printf("%d\n", (*row)[1].p[1].v[1]); }
