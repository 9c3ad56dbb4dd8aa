// if, else if, dangling else, empty statements.
int decide(int a, int b)
{
    if (a)
        if (b)
            return 1;
        else
            return 2;
    if (a) {
        if (b)
            return 3;
    } else
        return 4;
    if (!a) ; else if (b) { } else if (a > b) return 5; else { return 6; }
    if (a) if (b) while (a) if (b) return 7; else return 8; else return 9; else return 10;
    return 0;
}
