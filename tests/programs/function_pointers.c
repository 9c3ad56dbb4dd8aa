#include <stdio.h>

typedef int (*op)(int, int); static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; } static int mul(int a, int b) { return a * b; }
static op table[] = {add, &sub, mul}; static op pick(char c) { return c == '+' ? add : c == '-' ? sub : mul; } struct obj { int v; int (*get)(struct obj *); op o; }; static int get(struct obj *o) { return o->v; }
static int apply(int f(int, int), int a, int b) { return f(a, b) + (*f)(b, a) + (**f)(1, 1); } static op (*picker)(char) = pick;
int main(void) { for (int i = 0; i < 3; i++) printf("%d ", table[i](7, 3)); printf("%d %d\n", pick('-')(1, 2), picker('*')(4, 5)); struct obj o = {5, get, mul}; printf("%d %d %d\n", o.get(&o), o.o(o.v, 2), apply(sub, 9, 4)); op p = 0; p = p ? p : add; printf("%d %d %d\n", p == add, p != sub, p(1, 2)); printf("%d\n", (1 ? add : sub)(2, 3)); void *v = (void *)mul; printf("%d\n", ((op)v)(6, 7)); }
