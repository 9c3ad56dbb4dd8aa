// Structure and union initialisers.
struct point { int x, y; };
struct line { struct point a, b; char name[8]; union { int i; double d; } u; int *p; };
int target;
struct line l1 = {{1, 2}, {3, 4}, "line", {5}, &target}, l2 = {1, 2, 3, 4, "flat", 5, 0};
struct line l3 = {.b = {.y = 4}, .name = "x", .u.d = 2.5, .a.x = 1}, l4 = {.p = &target, .a = {1}};
struct line many[3] = {[1].a.x = 1, [1].b.y = 2, [2] = {.name = {'a', 'b'}}};
union value { int i; float f; char c[4]; } v1 = {1}, v2 = {.f = 2.0f}, v3 = {.c = "abc"}, v4 = {};
struct point old = {x: 1, y: 2};
struct { int a; struct { int b, c; }; union { int d; char e; }; int f; } anon = {1, {2, 3}, {4}, 5}, by_name = {.c = 3, .e = 'x', .f = 1};
struct bits { unsigned a : 3, : 5, b : 4; int c; } bits = {1, 2, 3};
struct line copy(struct line *from, int n)
{
    struct point p = {n, n + 1}, q = p;
    struct line l = {p, .b = q, .name = "local", .u = {n}}, m = *from;
    struct { struct point p; int z; } nested = {p, 3}, elided = {q.x, q.y, 4};
    l.a.x = nested.z + elided.p.y;
    return n ? l : m;
}
struct empty {} nothing = {};
