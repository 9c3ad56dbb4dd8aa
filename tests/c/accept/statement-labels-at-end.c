// Labels before a closing brace and before declarations.
int f(int n)
{
    switch (n) { case 1: n++; default: }
    if (n) goto end;
    { goto inner; inner: }
    goto declared;
declared:
    int x = 3, y = 4;
    n += x + y;
    switch (n) { case 3: int z = 4; n = z; }
end:
}
