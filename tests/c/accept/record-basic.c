// Structures and unions: nested definitions, forward declarations, self reference, assignment.
struct forward;
struct list { struct list *next, *prev; struct forward *other; int data; };
struct forward { struct list all; union { int i; struct forward *f; } u; };
union either { struct list l; struct forward f; char raw[8]; };
struct outer { struct inner { int a; struct innermost { char b; } m; } i; struct inner *p; };
struct innermost visible = {'x'};
struct { int unnamed; } single, *to_single = &single;
typedef struct { int x; } typedefed;
struct { typedefed t; } holder;
int use(struct list *l, union either e)
{
    struct local { int z; struct list *l; } v = {1, l}, w = v;
    l->next->prev->data = e.l.data + w.z;
    single = *to_single;
    struct list copy = *l->next;
    return copy.data + e.f.all.next->data + holder.t.x + w.l->data + (*l).data + (&copy)->data;
}
struct list *make(void), returned(void);
int member_of_result(void) { return make()->data + returned().data; }
