// Logical and relational operators on arithmetic and pointer operands.
int logical(int i, double d, char *p, void *v, int (*f)(void), _Bool b)
{
    int r = i && d || p && !v;
    r += i < d; r += p == v; r += p != 0; r += f == 0; r += !f; r += b == 1; r += (i < 3) == (d > 2); r += p < p + 1 && p >= p;
    if (p) r++; while (d) d--; do ; while (f && 0); for (; v; v = 0) ; r = p ? 1 : 0; r = !p || !*p;
    return r && !!r;
}
