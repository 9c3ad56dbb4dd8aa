struct s { int f(void); void v; struct t t; int a[]; };
union u { int b[]; int c; };
