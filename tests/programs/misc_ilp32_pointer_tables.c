#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { const char *name; void *data; struct item *next; }; static int one = 1; static struct item c = {"c", &one, 0}, b = {"b", &c, &c}, a = {"a", &b, &b}; int main(void) { int n = 0; for (struct item *i = &a; i; i = i->next) { printf("%s", i->name); n++; } struct item *copy = malloc(n * sizeof *copy); int k = 0; for (struct item *i = &a; i; i = i->next) copy[k++] = *i; printf(" %s %d %d\n", copy[1].name, *(int *)copy[2].data, copy[0].data == &b); struct item tmp; memcpy(&tmp, &copy[0], sizeof tmp); printf("%s\n", ((struct item *)tmp.data)->name); free(copy); }
