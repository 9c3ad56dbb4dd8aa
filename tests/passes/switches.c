//@ pipeline: switches
int f(int n)
{
    switch (n) {
    case 1:
        n = 10;
    case 2 ... 4:
        n++;
        break;
    default:
        n = 0;
    }
    return n;
}
