#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int v; struct node *next; };
static struct node *push(struct node *h, int v) { struct node *n = malloc(sizeof *n); n->v = v; n->next = h; return n; }
static struct node *reverse(struct node *h) { struct node *r = 0; while (h) { struct node *n = h->next; h->next = r; r = h; h = n; } return r; }
int main(void) { struct node *h = 0; for (int i = 0; i < 8; i++) h = push(h, i * i); h = reverse(h); int s = 0; for (struct node *n = h; n; n = n->next) s = s * 3 + n->v; printf("%d\n", s); while (h) { struct node *n = h->next; free(h); h = n; } }
