int f(int x)
{
    __builtin_offsetof(int, a);
    __builtin_va_arg(x, int);
    __builtin_choose_expr(x, 1, 2);
    __builtin_add_overflow(1, 2, 3);
    __builtin_types_compatible_p(int, 3);
    return __builtin_clz();
}
