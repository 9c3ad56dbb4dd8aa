struct a { int x; };
struct b { int x; };
int f(struct a a, struct b b, int i, double d, int *p)
{
    a = b;
    a = i;
    i = a;
    p = d;
    d = p;
    return 0;
}
