//@ pipeline: loops
int f(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (i == 3)
            continue;
        s += i;
    }
    do
        n--;
    while (n > 0);
again:
    if (s > 10) {
        s /= 2;
        goto again;
    }
    return s;
}
