// Records that need each other, tags declared in inner scopes and parameter lists.
struct a { struct b *b; int (*call)(struct a *, struct b *); };
struct b { struct a a; struct c { struct b *back; } c; };
void prototype(struct only_here *p);
struct only_here { int different; };
int local(void)
{
    struct a { int mine; } x = {1};
    struct b;
    struct b *p;
    struct b { struct a *inner; } y = {&x};
    struct list { struct node { struct list *up; struct node *next; } *head; } l = {0};
    p = &y;
    return p->inner->mine + (l.head != 0);
}
struct list { int unrelated; };
int parameter_tag(struct strange { int s; } *p) { return p->s; }
int cast_tag(void *p) { return ((struct fresh { int f; } *)p)->f + sizeof(struct fresh) + sizeof(struct strange *); }
