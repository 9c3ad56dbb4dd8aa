#include <stdio.h>

#define NAME(x) _Generic((x), int: "int", unsigned: "unsigned", double: "double", float: "float", char *: "char *", default: "other")
int main(void) { int x = 3; __typeof__(x) y = x * 2; __auto_type z = 2.5; printf("%s %s %s %s %s %s\n", NAME(x), NAME(1u), NAME(z), NAME(1.0f), NAME("s"), NAME('c')); printf("%d %g\n", y, z); printf("%s %s\n", NAME((char)1), NAME((short)1 + 0)); __typeof__(int[3]) a = {1, 2, 3}; printf("%d\n", a[2]); printf("%d %d\n", __builtin_choose_expr(1, 5, "x"), __builtin_types_compatible_p(int, long)); }
