// sizeof of types, expressions, strings, members of types that are not at hand.
struct s { char name[16]; int n; };
int a = sizeof(struct s), b = sizeof "hello", c = sizeof(char), d = sizeof((struct s *)0)->name, e = sizeof(int[4]) / sizeof(int);
int f = sizeof(sizeof 1), g = sizeof(void), h = sizeof(void (*)(void)), i = sizeof(a), j = sizeof a + 1, k = sizeof(1 ? 2 : 3L);
int function(void);
int l = sizeof function(), m = sizeof(function), n = sizeof(struct { int x[3]; }), o = sizeof(union { char c; long l; }[2]);
