int f(int x)
{
again:
    x++;
again:
    goto again;
    return x;
}
