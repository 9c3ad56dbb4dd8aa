int g(void);
int f(int a, int b)
{
    a + b = 3;
    g() = 4;
    5 = a;
    (a ? a : b) = 1;
    (char)a = 2;
    a++ = 3;
    &a = 0;
    ++a++;
    return 0;
}
