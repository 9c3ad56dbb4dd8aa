// Scalars in braces, addresses, casts, floats, pointers to members and functions.
int a = {1}, b = 2.9, c = 'c', d = sizeof(int);
double e = 1, f = 1.0f, g = -1.5e3;
float h = 1e10;
_Bool i = 5, j = 0.5, k = &a;
extern char p_target[];
char *p = "text", *q = &p_target[3] - 1 + 1, *null = 0;
int function(void);
int (*fp)(void) = function, (*fq)(void) = &function;
unsigned long address = (unsigned long)&a;
long offset = (char *)&((struct { int x; long y; } *)0)->y - (char *)0;
const void *const pointers[] = {&a, function, "s", (void *)8};
int *into = &((int[]){1, 2, 3})[1];
void *self = &self;
struct node { struct node *next; int v; } n1, n2 = {&n1, 2};
struct node n1 = {&n2, 1};
