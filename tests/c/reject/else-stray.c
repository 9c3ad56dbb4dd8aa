int f(int x)
{
    if (x)
        x++;
        x--;
    else
        x = 0;
    return x;
}
