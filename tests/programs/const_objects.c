#include <stdio.h>

static const int table[] = {1, 1, 2, 3, 5, 8}; static const struct { const char *n; int v; } c[] = {{"a", 1}, {"b", 2}}; static const char msg[] = "msg"; int main(void) { const int l = 4; const int arr[3] = {l, l + 1}; int s = 0; for (unsigned i = 0; i < sizeof table / sizeof *table; i++) s += table[i]; printf("%d %s %d %d %s\n", s, c[1].n, c[0].v, arr[1], msg); const int *p = &l; int *q = (int *)p; (void)q; printf("%d\n", *p + *(table + 3)); }
