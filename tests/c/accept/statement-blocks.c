// Blocks, empty statements, declarations between statements.
int blocks(int n)
{
    {}
    {;}
    ;;
    { { { n++; } } }
    int a = n;
    a++;
    int b = a, c;
    { int a = b; n += a; { int a = n; n -= a; } }
    if (n) {} else {}
    if (n) ; else ;
    while (n--) ;
    c = b;
    return c;
    int unreachable = 3;
}
