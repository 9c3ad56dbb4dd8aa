int f(int x)
{
    if (x) {
        return 1;
    return 0;
}

int g(void) { return 2; }
