int f(int a);
int none(void);
int g(void) { return f(1, 2, 3) + none(4); }
