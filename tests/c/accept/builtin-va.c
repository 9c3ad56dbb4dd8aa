// Variable arguments.
typedef __builtin_va_list va_list;
int sum(int n, ...)
{
    va_list ap, copy;
    __builtin_va_start(ap, n);
    __builtin_va_copy(copy, ap);
    int total = 0;
    while (n--)
        total += __builtin_va_arg(ap, int);
    double d = __builtin_va_arg(copy, double);
    char *s = __builtin_va_arg(copy, char *);
    struct { int a[3]; } *p = __builtin_va_arg(copy, void *);
    __builtin_va_end(ap);
    __builtin_va_end(copy);
    return total + (d > 0) + *s + p->a[1];
}
int forward(const char *format, va_list ap) { return __builtin_va_arg(ap, long) > 0 && format[0]; }
int passes(const char *format, ...)
{
    va_list ap;
    __builtin_va_start(ap, format);
    int result = forward(format, ap);
    __builtin_va_end(ap);
    return result;
}
void by_pointer(va_list *ap) { __builtin_va_arg(*ap, int); }
