// Pointers to functions: tables, members, results, casts, comparisons.
typedef int (*operation)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static const operation table[] = {add, &sub, 0};
struct device { int (*read)(struct device *, char *, int); void (*close)(struct device *); };
operation pick(int which) { return which ? add : sub; }
int (*pick_long(int which))(int, int) { return table[which]; }
int run(struct device *d, int n)
{
    char buffer[4];
    operation op = pick(n);
    int (*const fixed)(int, int) = *add;
    int r = op(1, 2) + (*op)(3, 4) + pick(0)(5, 6) + (*pick_long(1))(7, 8) + table[n](9, 10) + fixed(1, 1);
    if (d->read && d->close != 0 && op == add) { r += d->read(d, buffer, 4); (*d->close)(d); }
    return r + ((int (*)(int))op)(3);
}
void (*returns_function(void (*f)(void)))(void) { return f; }
int (*(*returns_returns(void))(int))(char) { return 0; }
