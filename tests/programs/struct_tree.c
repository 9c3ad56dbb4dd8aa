#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct t { int k; struct t *l, *r; };
static void ins(struct t **p, int k) { while (*p) p = k < (*p)->k ? &(*p)->l : &(*p)->r; *p = calloc(1, sizeof **p); (*p)->k = k; }
static void walk(struct t *t, int d) { if (!t) return; walk(t->l, d + 1); printf("%d@%d ", t->k, d); walk(t->r, d + 1); }
static void del(struct t *t) { if (t) { del(t->l); del(t->r); free(t); } }
int main(void) { struct t *r = 0; unsigned x = 12345; for (int i = 0; i < 15; i++) { x = x * 1103515245 + 12345; ins(&r, x >> 16 & 63); } walk(r, 0); printf("\n"); del(r); }
