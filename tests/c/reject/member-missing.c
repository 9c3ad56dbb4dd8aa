struct s { int a; } s, *p;
union u { int b; } u;
int f(void) { return s.b + p->c + u.a + p.a + s->a; }
