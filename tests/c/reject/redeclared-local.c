int f(int a)
{
    int a;
    int b;
    char b;
    int c = 1;
    { int c = 2; (void)c; }
    int c;
    typedef int T;
    int T;
    for (int i = 0; i < 3; i++) { int i; }
    return b;
}
