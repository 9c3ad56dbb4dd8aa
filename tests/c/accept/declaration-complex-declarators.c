// Declarators that need a moment of thought.
int (*(*(*a)(int))[3])(char); int *(*(*b[2][3])(void))(int *(*)(int)); char (*(*c(int (*)(void), char *[]))[2])[3];
void (*d(int e, void (*f)(int)))(int); const char *const (*const *g)[4] = 0; int (((h))); int (*((i))); int ((j)[3]); int ((*k))(int); int (l)(int), (*(m))(void);
int (l)(int x) { return (x) + (h); } typedef int (*(*n)(void))(int); n o; int (*(*p(void))(void))(int) { return o; } int q(int (int), int (*)(int), int (x), int y[3][*]);
