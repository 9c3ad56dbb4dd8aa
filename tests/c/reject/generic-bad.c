int f(int x, double d)
{
    int a = _Generic(x, char: 1, long: 2);
    int b = _Generic(x, int: 1, int: 2);
    int c = _Generic(d, default: 1, default: 2);
    return a + b + c;
}
