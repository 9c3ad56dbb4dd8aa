struct s { int a; };
int f(int a, struct s b);
int g(struct s s) { return f(s, 3); }
