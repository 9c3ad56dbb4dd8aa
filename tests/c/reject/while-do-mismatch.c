int f(int x)
{
    do x--; (x > 0);
    do { x++; }
    return x;
}
