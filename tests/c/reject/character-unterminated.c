int f(void)
{
    char c = 'a;
    return c;
}
