#include <stdio.h>

static const char *const names[] = {"zero", "one", "two", [5] = "five"}; static int x = 1, y = 2; static int *ptrs[] = {&x, &y, 0};
int main(void) { for (int i = 0; i < 6; i++) printf("%s ", names[i] ? names[i] : "-"); int **pp = ptrs; int s = 0; while (*pp) s = s * 10 + **pp++; *ptrs[0] = 7; printf("%d %d\n", s, x); const char **n = (const char **)names; printf("%c\n", n[2][1]); char *text[2] = {"ab", "cd"}; char **t = text; printf("%c%c\n", *t[1], *(*t + 1)); }
