// #pragma pack: plain, push and pop.
#pragma pack(1)
struct tight { char c; int i; };
#pragma pack()
struct loose { char c; int i; };
#pragma pack(push, 2)
struct two { char c; int i; short s; };
#pragma pack(push)
#pragma pack(4)
struct four { char c; long long l; };
#pragma pack(pop)
struct two_again { char c; int i; };
#pragma pack(pop)
struct natural { char c; double d; };
_Static_assert(sizeof(struct tight) == 5 && sizeof(struct loose) == 8, "");
_Static_assert(sizeof(struct two) == 8 && sizeof(struct four) == 12 && sizeof(struct two_again) == 6, "");
