#include <stdio.h>

struct in { int a, b[3]; }; struct out { struct in i[2]; char *n; union { int u; float f; } un; struct { int x, y; }; };
static struct out g = {.i[1].b[2] = 5, .n = "glob", .i[0] = {1, {2}}, .un.f = 1.5f, .y = 8};
int main(void) {
    struct out l = {{{1, {2, 3, 4}}, {.b = {[1] = 6}}}, "loc", {7}, {.x = 9}};
    printf("%d %d %d %s %g %d %d\n", g.i[0].a, g.i[0].b[0], g.i[1].b[2], g.n, g.un.f, g.x, g.y);
    printf("%d %d %d %s %d %d %d\n", l.i[0].b[2], l.i[1].a, l.i[1].b[1], l.n, l.un.u, l.x, l.y);
    int a[10] = {[3] = 3, 4, [8] = 8, [5 ... 6] = 56}; for (int i = 0; i < 10; i++) printf("%d ", a[i]); printf("\n");
    int m[2][3] = {1, 2, 3, 4}; printf("%d %d\n", m[1][0], m[1][2]); struct in arr[] = {{1}, {2, {3}}, [4] = {9}}; printf("%d %d %d\n", (int)(sizeof arr / sizeof *arr), arr[1].b[0], arr[4].a);
}
