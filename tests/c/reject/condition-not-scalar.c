struct s { int a; } s;
void nothing(void);
int f(void)
{
    if (s) return 1;
    while (nothing()) ;
    for (; s; ) ;
    do ; while (s);
    return s ? 1 : 2;
}
