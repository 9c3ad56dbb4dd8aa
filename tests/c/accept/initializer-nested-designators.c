// Designators that go several levels deep and continue in order after it.
struct in { int a, b; int c[3]; };
struct out { int x; struct in i[2]; struct in last; };
struct out o1 = {.i[1].c[1] = 5, 6, {7, 8}, };
struct out o2 = {1, {[1] = {.b = 2, {3}}}, .last.c = {[2] = 9}};
struct out o3 = {.x = 1, .i = {{1, 2, {3, 4, 5}}, {6}}, .i[0].b = 20};
struct in table[] = {[0 ... 1] = {1, 2, {3}}, [2].c[0 ... 2] = 4, [1].a = 9};
union u { struct in s; int raw[5]; } u1 = {.raw = {1, 2}}, u2 = {{1, 2}}, u3 = {.s.c[1] = 3};
struct { struct { union { struct { int deep; int er; }; int flat; }; }; int tail; } anonymous = {.deep = 1, .er = 2, .tail = 3};
int use(int n) { struct out o = {.i[0].a = n, n + 1, .last = table[0], .last.b = n}; return o.i[0].b; }
