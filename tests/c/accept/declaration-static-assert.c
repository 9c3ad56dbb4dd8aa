// _Static_assert with one and two arguments, everywhere a declaration may stand.
_Static_assert(1, "message");
_Static_assert(sizeof(int) == 4);
struct s { int a; _Static_assert(sizeof(int) >= 2, "in a structure"); int b; };
int f(void)
{
    _Static_assert(sizeof(struct s) == 8, "in a " "function");
    for (int i = 0; i < 3; i++) { _Static_assert(1); }
    return 0;
}
