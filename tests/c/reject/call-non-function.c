int x;
struct s { int a; } s;
int f(int *p) { return x(1) + p(2) + s(3) + 4(5); }
