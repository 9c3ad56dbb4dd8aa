int f(int x)
{
    if (x)
        goto nowhere;
    return x;
somewhere:
    goto *x;
}
