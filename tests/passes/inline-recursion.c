//@ pipeline: inline(1,assert)
static int down(int n)
{
    if (n == 0)
        return 0;
    int rest = down(n - 1);
    return rest + 1;
}
int main(void)
{
    return down(5);
}
