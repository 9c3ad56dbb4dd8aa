unknown_type x;
foo *p;
int f(bar x) { baz *q; qux y = 3; return 0; }
struct s { missing m; };
uint32_t n = 3;
