// __auto_type takes the type of the initialiser.
struct s { int a; } object;
int function(int);
int use(int x, const char *text, double array[3])
{
    __auto_type a = x;
    __auto_type b = &x;
    __auto_type c = text;
    __auto_type d = object;
    const __auto_type e = 2.5f;
    __auto_type f = function;
    __auto_type g = array;
    __auto_type h = (char)1;
    static __auto_type i = 5;
    for (__auto_type j = 3u; j > 0; j--) a += j;
    return a + *b + *c + d.a + (int)e + f(1) + (int)g[1] + h + i;
}
__auto_type global = 3ULL;
