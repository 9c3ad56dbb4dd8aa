int f(void)
{
    int x = y1;
    x = y2 + y3;
    y1 = 4;
    return z(y2);
}
