struct s { int a; } x, y;
int f(void) { return x == y || x < y || !x; }
