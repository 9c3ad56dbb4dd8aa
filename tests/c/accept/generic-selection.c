// _Generic: associations, default, qualifiers dropped, lvalues, nested.
#define kind(x) _Generic((x), int: 1, unsigned: 2, long: 3, double: 4, char *: 5, const char *: 6, int *: 7, default: 0)
_Static_assert(kind(1) == 1 && kind(1u) == 2 && kind(1L) == 3 && kind(1.0) == 4 && kind("x") == 5, "");
_Static_assert(kind((const char *)0) == 6 && kind((char)1) == 0 && kind((int *)0) == 7 && kind(1.0f) == 0, "");
int function(int);
const int constant = 3;
_Static_assert(kind(constant) == 1, "the controlling expression is an rvalue");
_Static_assert(_Generic(function, int (*)(int): 1, default: 0), "");
_Static_assert(_Generic((int[3]){0}, int *: 1, default: 0), "");
int select(int i, double d) { return _Generic(d, default: i, double: (int)d) + _Generic(i, int: _Generic(d, double: 2, default: 3), default: 4); }
int lvalue(int a, int b) { _Generic(a, int: a, default: b) = 5; return a; }
double call(double x) { return _Generic(x, double: __builtin_sqrt, float: __builtin_sqrtf)(x); }
