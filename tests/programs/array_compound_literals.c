#include <stdio.h>

struct p { int x, y; }; static int *g = (int[]){5, 6, 7}; static struct p *gp = &(struct p){8, 9}; static int area(struct p a) { return a.x * a.y; } static int tot(const int *a, int n) { int s = 0; while (n--) s += *a++; return s; }
int main(void) { g[1] = 60; printf("%d %d\n", g[1], gp->y); printf("%d %d\n", area((struct p){3, 4}), tot((int[]){1, 2, 3, 4}, 4)); for (int i = 0; i < 3; i++) { int *v = (int[3]){i}; v[2] += 5; printf("%d%d%d ", v[0], v[1], v[2]); } struct p *q = &(struct p){.y = 2}; q->x++; printf("%d %d\n", q->x, q->y); printf("%s %d\n", (char[]){"mut"}, (int){7}); char *s = (char[8]){"ab"}; s[1] = 'z'; puts(s); }
