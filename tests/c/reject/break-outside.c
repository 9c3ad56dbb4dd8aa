int f(int x)
{
    break;
    if (x) continue;
    switch (x) { case 1: continue; }
    return x;
}
