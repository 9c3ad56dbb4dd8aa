int f(int count)
{
    int total = cuont + 1;
    total += undeclared;
    return totl;
}
