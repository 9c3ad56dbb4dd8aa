int f(int x)
{
    return x;
}
}
int g(void) { return 2; }
