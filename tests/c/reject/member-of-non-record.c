int f(int x, int *p) { return x.a + p->b + x->c + (3).d; }
