// _Noreturn in any order among the specifiers.
_Noreturn void a(void);
void _Noreturn b(void);
extern _Noreturn void c(void), d(int);
static _Noreturn void e(void) { for (;;) ; }
_Noreturn void a(void) { e(); }
int f(int x) { if (x) a(); else d(x); }
