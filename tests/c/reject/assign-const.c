const int c = 1;
struct s { const int member; int plain; };
int f(const char *text, struct s *s, const struct s *t, int *const p)
{
    c = 2;
    *text = 'x';
    s->member = 3;
    t->plain = 4;
    p = 0;
    c++;
    c += 1;
    *s = *t;
    return 0;
}
