int f(int x)
{
    if x return 1;
    while (x { x--; }
    for (x = 0; x < 3) x++;
    return (x + 1;
}
