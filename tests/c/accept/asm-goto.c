// asm goto with labels.
int jump(int x)
{
    asm goto("" : : "r"(x) : "cc" : out, other);
    return 0;
other:
    return 1;
out:
    return 2;
}
int with_output(int x)
{
    int y;
    asm volatile goto("" : "=r"(y) : "0"(x) : : done);
    return y;
done:
    return -1;
}
