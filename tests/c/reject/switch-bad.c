struct s { int a; } s;
int f(double d, int *p)
{
    switch (d) { case 1: return 1; }
    switch (p) { case 0: return 2; }
    switch (s) { default: return 3; }
}
