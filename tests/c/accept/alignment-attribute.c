// The aligned attribute on variables, members, types and typedefs; with and without a number.
int x __attribute__((aligned(32)));
char biggest __attribute__((aligned));
struct __attribute__((aligned(16))) front { char c; };
struct back { char c; } __attribute__((aligned(8)));
struct member { char c; int i __attribute__((aligned(16))); };
typedef int wide_int __attribute__((aligned(16)));
typedef int narrow_int __attribute__((aligned(2)));
struct with_typedefs { char a; narrow_int b; char c; wide_int d; };
_Static_assert(sizeof(struct front) == 16 && sizeof(struct back) == 8, "");
_Static_assert(sizeof(struct member) == 32, "");
_Static_assert(__builtin_offsetof(struct with_typedefs, b) == 2, "a typedef may lower the alignment");
_Static_assert(sizeof(struct with_typedefs) == 32, "");
