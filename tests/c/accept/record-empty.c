// GNU: empty structures and unions, structures with only unnamed members.
struct empty {};
union nothing {};
struct holds { struct empty e; int a; struct empty f[3]; };
struct only_bits { int : 4; };
_Static_assert(sizeof(struct empty) == 0 && sizeof(struct holds) == 4, "");
struct empty copy(struct empty e) { struct empty f = e; f = e; return f; }
struct empty array[5];
