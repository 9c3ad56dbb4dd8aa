// offsetof: members, nested members, subscripts, anonymous members; constant and not.
struct inner { int x; int y[4]; };
struct outer { char c; struct inner in[3]; union { int u; struct { short deep; }; }; };
enum { A = __builtin_offsetof(struct outer, in), B = __builtin_offsetof(struct outer, in[1].y[2]) };
_Static_assert(A == 4 && B == 4 + 20 + 4 + 8, "");
_Static_assert(__builtin_offsetof(struct outer, deep) == 64, "");
unsigned long variable(int i) { return __builtin_offsetof(struct outer, in[i].x); }
#define old_offsetof(type, member) ((unsigned long)&((type *)0)->member)
unsigned long old = old_offsetof(struct outer, in[1].x);
