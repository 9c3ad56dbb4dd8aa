struct s { int a; } s;
int f(void) { return s; }
struct s g(void) { return 3; }
void h(void) { return s; }
int *i(double d) { return d; }
