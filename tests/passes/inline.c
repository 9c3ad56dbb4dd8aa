//@ pipeline: inline
//@ linemap
int g;
static int twice(int n)
{
    if (n > 10)
        return 0;
    return n * 2;
}
static void set(int *p, int value)
{
    *p = value;
}
int main(void)
{
    int x = twice(4);
    set(&g, x);
    return twice(g);
}
