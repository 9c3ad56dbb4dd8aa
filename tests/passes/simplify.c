//@ pipeline: simplify
int g, h;
int next(void);
int f(int a)
{
    int x = g++ + next();
    if (a && g > h || next())
        x += g = h;
    while (g && a--)
        h = (g, x) ? g : h;
    return x++ + g;
}
