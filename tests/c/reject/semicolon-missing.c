int a
int b;
int f(int x)
{
    int y = x
    y++;
    x = 3
    return x + y
}
struct s { int p int q; };
struct t { int p; }
int c;
