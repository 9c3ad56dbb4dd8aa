struct s { int a; } s;
int f(int i, double d, int *p, void (*fp)(void))
{
    i = s + 1;
    i = d % 2;
    i = d & 1;
    i = p + p;
    i = p * 2;
    i = ~d;
    i = -p;
    i = !s;
    i = s == s;
    i = d << 1;
    i = p - d;
    i = 1 - p;
    p += d;
    s++;
    d %= 2;
    return s && i;
}
