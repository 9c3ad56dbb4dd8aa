// Comma in all its places.
int f(int, int);
int commas(int a, int b)
{
    int x = (a++, b), y[3] = {(a, 1), 2};
    for (a = 0, b = 10; a < b; a++, b--)
        x += f((a, b), (b, a));
    a = 1, b = 2;
    return x, y[(a, 0)], a ? b, 1 : 2;
}
