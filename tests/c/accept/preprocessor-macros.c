// Macros of all sorts go through the preprocessor.
#define CAT(a, b) a##b
#define STR(x) #x
#define XSTR(x) STR(x)
#define VA(f, ...) printf(f, ##__VA_ARGS__)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]) + sizeof(char[1 - 2 * __builtin_types_compatible_p(__typeof__(a), __typeof__(&(a)[0]))]) - 1)
#define container_of(p, type, member) ({ const __typeof__(((type *)0)->member) *m_ = (p); (type *)((char *)m_ - __builtin_offsetof(type, member)); })
int printf(const char *, ...);
int CAT(na, me) = __LINE__; const char *file = __FILE__, *text = XSTR(CAT(a, b));
#if defined __GNUC__ && __STDC_VERSION__ >= 201112L
struct list { struct list *next; }; struct item { int v; struct list l; };
int use(struct list *l) { int a[4]; VA("x"); VA("%d", 1); return container_of(l, struct item, l)->v + ARRAY_SIZE(a) + name + *file + *text; }
#else
#error not here
#endif
