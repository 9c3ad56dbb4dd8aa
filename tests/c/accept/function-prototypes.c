// Prototypes: names, no names, void, variadic, unspecified, qualified parameters, composite types.
int none(void), unspecified(), one(int), named(int first, char *second), variadic(const char *, ...);
int qualified(const int a, register int b, int *restrict c, volatile struct s *d);
int same(int a[3], int b(void));
int same(int *a, int (*b)(void));
int composite(int (*)[], int (*)[5]);
int composite(int (*)[7], int (*)[]);
void defined(int, int x, const char *s, ...) __attribute__((unused));
void defined(int a, int b, const char *text, ...) { (void)a, (void)b, (void)text; }
int call(void) { int m[7], n[5]; variadic("x", 1, 2.0, (char)3, m); unspecified(1, "x"); return composite(&m, &n) + one('c') + one(2.5); }
static int static_first(int);
int static_first(int x) { return x; }
