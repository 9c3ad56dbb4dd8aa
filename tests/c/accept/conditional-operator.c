// ?: with arithmetic, pointers, void, structures, null pointers, omitted middle.
struct s { int a; } one, two;
const char *cp;
void *vp;
int *ip;
void act(void);
int conditionals(int c, double d)
{
    c ? act() : act();
    c ? act() : (void)0;
    d = c ? 1 : 2.5;
    ip = c ? ip : 0;
    ip = c ? (void *)0 : ip;
    vp = c ? ip : vp;
    const void *cv = c ? cp : vp;
    one = c ? one : two;
    int n = (c ? one : two).a;
    n += c ?: 5;
    n += *(ip ?: &n);
    n += c ? d > 1 ? 1 : 2 : 3;
    n += c ? n : d ? 4 : 5;
    c ? n : (n = 2);
    return (c ? cv : 0) != 0 ? n : -n;
}
