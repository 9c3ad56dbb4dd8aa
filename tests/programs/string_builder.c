#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sb { char *p; size_t n, cap; }; static void put(struct sb *s, const char *t) { size_t l = strlen(t); while (s->n + l + 1 > s->cap) { s->cap = s->cap ? s->cap * 2 : 4; s->p = realloc(s->p, s->cap); } memcpy(s->p + s->n, t, l + 1); s->n += l; } int main(void) { struct sb s = {0}; char b[16]; for (int i = 0; i < 12; i++) { sprintf(b, "%d,", i * i); put(&s, b); } puts(s.p); printf("%d %d\n", (int)s.n, (int)s.cap); free(s.p); }
