void nothing(void);
int f(int);
int g(void) { return f(nothing()) + nothing(); }
