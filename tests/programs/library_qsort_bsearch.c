#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct r { int k; char n[4]; }; static int cmp(const void *a, const void *b) { const struct r *x = a, *y = b; return x->k < y->k ? -1 : x->k > y->k; } static int icmp(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int main(void) { struct r v[] = {{5, "e"}, {1, "a"}, {4, "d"}, {2, "b"}, {3, "c"}}; qsort(v, 5, sizeof *v, cmp); for (int i = 0; i < 5; i++) printf("%d%s ", v[i].k, v[i].n); struct r k = {4}; struct r *f = bsearch(&k, v, 5, sizeof *v, cmp); printf("%s\n", f->n); int a[50]; unsigned x = 1; for (int i = 0; i < 50; i++) a[i] = (x = x * 69069 + 1) >> 20; qsort(a, 50, sizeof(int), icmp); for (int i = 0; i < 50; i += 7) printf("%d ", a[i]); printf("\n"); }
