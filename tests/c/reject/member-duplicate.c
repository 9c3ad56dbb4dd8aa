struct s { int a; char b; int a; };
struct t { int x; struct { int x; }; };
union u { int p, *p; };
