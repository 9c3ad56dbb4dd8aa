struct s { int a; } s;
int f(int c, int *p) { return c ? s : 1; }
int g(int c, struct s *p) { return c ? p->a : s; }
