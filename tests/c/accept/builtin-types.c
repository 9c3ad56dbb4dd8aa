// types_compatible_p and choose_expr select at compile time.
int same = __builtin_types_compatible_p(int, const int);
int differ = __builtin_types_compatible_p(int, long);
int arrays = __builtin_types_compatible_p(int[], int[5]);
_Static_assert(__builtin_types_compatible_p(unsigned, unsigned int), "");
int chosen = __builtin_choose_expr(1, 4, "text");
char *text = __builtin_choose_expr(0, 4, "text");
#define is_int(x) __builtin_types_compatible_p(__typeof__(x), int)
#define half(x) __builtin_choose_expr(is_int(x), (x) / 2, (x) * 0.5)
int halves(int i, double d) { return half(i) + half(d) > 3; }
int lvalue(int a, int b) { __builtin_choose_expr(sizeof(int) == 4, a, b) = 7; return a; }
