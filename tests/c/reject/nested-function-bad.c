int f(int x)
{
    int g(int y) { return x + y + z; }
    int g(int y) { return y; }
    return g(1);
}
