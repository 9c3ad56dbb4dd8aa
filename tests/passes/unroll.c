//@ pipeline: bounds,unroll(2)
//@ linemap
int f(int n)
{
    int s = 0;
    for (int i = 0; i < 3; i++)
        s += i;
    while (s < n) {
        if (s == 7)
            break;
        s *= 2;
    }
    return s;
}
