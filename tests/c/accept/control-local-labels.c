// __label__ declares labels of a block.
#define find(array, n, what) ({ \
    __label__ found; \
    int i_, at_ = -1; \
    for (i_ = 0; i_ < (n); i_++) \
        if ((array)[i_] == (what)) { at_ = i_; goto found; } \
    found: at_; })
int twice(int *a, int n) { return find(a, n, 3) + find(a, n, 4); }
int several(int x)
{
    __label__ one, two;
    __label__ three;
    if (x) goto one;
two: x++;
three: return x;
one: x += 3;
    goto two;
}
