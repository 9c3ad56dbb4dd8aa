struct s { int a : 3; } s;
int f(void) { int *p = &s.a; return sizeof(s.a) + *p; }
