#include <stdio.h>

static _Thread_local int a = 5; __thread struct { int v[3]; char *s; } b = {{1, 2, 3}, "tls"}; static int *get(void) { static _Thread_local int n = 10; n++; return &n; }
int main(void) { int *p = &a; *p += 2; printf("%d %d %s\n", a, b.v[2], b.s); b.v[0] = 9; int *q = &b.v[0]; printf("%d\n", *q); printf("%d\n", *get()); printf("%d\n", *get()); printf("%d\n", p == &a); }
