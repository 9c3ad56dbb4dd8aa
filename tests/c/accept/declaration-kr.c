// K&R definitions.
int plain(a, b) int a; char *b; { return a + *b; }
int defaults(a, b, c) char b; double c; { return a + b + (int)c; }
int arrays(v, f, n) int v[10]; int f(); { return v[n] + f(v, n); }
static unsigned several(x, y, z) register int x, *y; const struct s { int m; } *z; { return x + *y + z->m; }
int none() { return 3; }
float narrow(f) float f; { return f; }
char *(*pointers(p, q))() char *(*p)(); int (*q)[3]; { return (*q)[1] ? p : 0; }
int calls(void) { return plain(1, "x") + defaults(1, 2, 3.0) + none(1, 2) + plain() + (int)narrow(1); }
int prototype_first(int, char *);
int prototype_first(n, s) int n; char *s; { return n + *s; }
