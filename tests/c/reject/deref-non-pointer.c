struct s { int a; } s;
int f(int i, double d, void (*fp)(void)) { return *i + *d + *s; }
int g(void *v) { return *v; }
