// Pointers: null, void, qualifiers, arithmetic, comparison; and what gcc only warns about.
int array[10];
void warnings(const char *cp, int *ip, long l)
{
    char *p = cp;
    unsigned *up = ip;
    int n = ip;
    ip = 5;
    if (ip == cp || ip < 7) n = cp - (const char *)ip;
    p = l;
    (void)(p == n);
}
int fine(void *v, char *c, const int *const *q)
{
    int *i = v;
    v = c;
    i = 0;
    i = (void *)0;
    i = array + 3;
    i = 3 + array;
    i += 2;
    i -= 1;
    i++;
    long d = &array[7] - i;
    v++;
    v = v + 4;
    if (i && !v && i > array && v == c && i != 0) return **q;
    return d + *i + i[2] + 2[i];
}
