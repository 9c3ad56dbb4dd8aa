struct s { int a; };
struct s { int b; };
union s { int c; };
struct t { struct t { int x; } y; };
