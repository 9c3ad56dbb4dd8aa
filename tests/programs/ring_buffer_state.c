#include <stdio.h>

#define N 8
struct rb { int d[N]; unsigned h, t; }; static int put(struct rb *r, int v) { if (r->h - r->t == N) return 0; r->d[r->h++ % N] = v; return 1; } static int get(struct rb *r, int *v) { if (r->h == r->t) return 0; *v = r->d[r->t++ % N]; return 1; } int main(void) { struct rb r = {.h = -3u, .t = -3u}; int s = 0, v; for (int i = 0; i < 30; i++) { put(&r, i); if (i % 3) if (get(&r, &v)) s = s * 5 + v & 0xffffff; } while (get(&r, &v)) s += v; printf("%d %u\n", s, r.h); }
