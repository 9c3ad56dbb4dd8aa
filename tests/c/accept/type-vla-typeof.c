// Variable length types that pass through typeof, __auto_type and typedefs.
int f(int n)
{
    int a[n][n + 1];
    typedef __typeof__(a) same;
    n *= 2;
    same b;
    __auto_type p = &a;
    __auto_type q = a;
    __typeof__(a[0]) row;
    __typeof__(&a) address = &b;
    return sizeof b + sizeof *p + sizeof *q + sizeof row + (*address)[0][0] + q[0][1];
}
