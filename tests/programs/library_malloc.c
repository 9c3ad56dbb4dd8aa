#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) { int *a = malloc(10 * sizeof *a); for (int i = 0; i < 10; i++) a[i] = i; a = realloc(a, 20 * sizeof *a); for (int i = 10; i < 20; i++) a[i] = a[i - 10] * 2; int s = 0; for (int i = 0; i < 20; i++) s += a[i]; int *z = calloc(5, sizeof *z); printf("%d %d\n", s, z[0] + z[4]); free(a); free(z); free(0); char **t = malloc(3 * sizeof *t); for (int i = 0; i < 3; i++) { t[i] = malloc(4); t[i][0] = 'a' + i; t[i][1] = 0; } for (int i = 0; i < 3; i++) { printf("%s", t[i]); free(t[i]); } free(t); printf("\n"); }
