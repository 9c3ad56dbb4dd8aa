// Unary operators on every operand they take.
int unary(int i, unsigned u, double d, int *p, _Bool b, char c, int (*f)(int), int a[3])
{
    i = +i; i = -i; i = ~i; i = !i; i = !d + !p + !f;
    u = -u; d = -d; c = ~c; b = !b;
    ++i; i++; --d; d--; ++p; p--; b++; c--;
    f = &*f; f = *f; f = **f; p = &*p; p = &a[1]; i = *&i; i = **&p;
    return (*f)(1) + f(2) + (&*f)(3) + (**f)(4) + *a + *(a + 1) + (&a)[0][2] + sizeof(&a) + -+-i + ~-i;
}
