#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parse(const char *s, int *out) { int sign = 1, v = 0, n = 0; if (*s == '-') sign = -1, s++, n++; while (*s >= '0' && *s <= '9') v = v * 10 + (*s++ - '0'), n++; *out = sign * v; return n; }
static void rev(char *s) { for (char *e = s + strlen(s) - 1; s < e; s++, e--) { char t = *s; *s = *e; *e = t; } }
int main(void) { int v; printf("%d", parse("-1234xyz", &v)); printf(" %d\n", v); char b[] = "reverse me"; rev(b); puts(b); int words = 0; for (const char *p = " the quick  brown fox "; *p; p++) words += *p != ' ' && (p[1] == ' ' || !p[1]); printf("%d\n", words); }
