struct s;
struct s object;
union u *p;
int f(struct s *q)
{
    struct s local;
    int n = sizeof(struct s) + sizeof(*q);
    q++;
    n += q->member + p->member;
    return n + q[1];
}
struct t { struct t inner; int x[]; int after; };
enum e variable;
