#include <stdio.h>
#include <alloca.h>
#include <string.h>

struct n { int v; struct n *next; };
static int f(int k) { struct n *h = 0; for (int i = 0; i < k; i++) { struct n *x = alloca(sizeof *x); x->v = i; x->next = h; h = x; } int s = 0; for (; h; h = h->next) s = s * 2 + h->v; char *c = alloca(k + 1); memset(c, 'x', k); c[k] = 0; return s + (int)strlen(c); }
int main(void) { for (int i = 0; i < 7; i++) printf("%d ", f(i)); printf("\n"); }
