//@ pipeline: loops,bounds(10)
int a[10];
int f(int n)
{
    for (int i = 0; i < 5; i++)
        a[i] = i;
    for (int i = 10; i > 0; i -= 3)
        a[i - 1] = n;
    for (int i = 0; i < n; i++)
        a[i] = 0;
    for (int i = 0; i < 50; i++)
        n += i;
    return n;
}
