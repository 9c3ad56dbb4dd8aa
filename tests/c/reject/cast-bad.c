struct s { int a; } s;
int f(int i, double d, int *p)
{
    i = (struct s)i;
    i = (int)s;
    p = (int *)d;
    d = (double)p;
    i = (int[3])p;
    i = (int(void))p;
    return i;
}
